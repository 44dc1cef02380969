"""`make reading-report`: docs/reading-report.md and its figures, from the labelled replies."""
