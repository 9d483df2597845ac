"""The full-screen app in the terminal, made with Textual."""
