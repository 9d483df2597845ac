"""What the screens of the full-screen app are put together from."""
