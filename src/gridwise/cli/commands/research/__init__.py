"""Commands for people who measure: exact values, grading, suites, proofs."""
