"""The screens of the full-screen app, one module each."""
