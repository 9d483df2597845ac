"""The command line as people and shells meet it: the real program, started anew for every claim."""
