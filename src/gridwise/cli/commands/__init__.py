"""One module for each command, with the command's name; `main` loads the one that is run."""
