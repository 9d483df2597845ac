"""Commands that serve other programs: engines, the web server, the compiled code."""
