"""Time, memory and loss over the size of the task, as ratios, on one page."""
