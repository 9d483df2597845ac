"""What positions are worth: the compiled twin of the rules, exact values, searches."""
