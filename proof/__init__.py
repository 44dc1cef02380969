"""What shows that Tidings keeps its promises: programs that try to break it, and count.

Beside `bench`, which measures how fast it is. docs/reliability.md has each promise, the figure that
was reached and the command that shows it again.
"""
