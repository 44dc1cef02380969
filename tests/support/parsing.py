"""Python source as a tree, also while another thread parses.

CPython 3.11 keeps the depth of a tree under construction in one place for all threads: if another
thread parses at the same moment (pytest does, to rewrite a module that a service imports), it
raises SystemError "AST constructor recursion depth mismatch", and the tree is fine the next time.
"""

import ast

ATTEMPTS = 5


def parse(source: str) -> ast.Module:
    for _ in range(ATTEMPTS - 1):
        try:
            return ast.parse(source)
        except SystemError:
            continue
    return ast.parse(source)
