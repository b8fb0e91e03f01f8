"""Pure arithmetic on numbers, using only the standard library. The arithmetic of the SQL rules is in pipeline/models.

"methods, section N" in docstrings and comments means section N of README.md in this folder. That file also defines "the
article", "the ratio post", "the P100 study" and "AI and Compute".
"""
