"""The documentation at /guide: the Markdown files of `docs/`, and pages made from the code.

Every page is Markdown first: `library.py` finds it, `markdown.py` makes HTML of it, and the same
text is served at the page's address with `.md`. Nothing here is imported before the first visit.
"""
