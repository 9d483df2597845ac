"""What grading is made of: judged moves, summaries with intervals, files, exact best responses."""
