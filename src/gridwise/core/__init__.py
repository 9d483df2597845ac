"""What every game and every way in shares. Nothing here knows a particular game."""
