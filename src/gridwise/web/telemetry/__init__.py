"""What the server says about itself: metrics and logs."""
