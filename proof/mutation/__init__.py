"""Mutation testing: change the program a little, and see whether a test notices."""
