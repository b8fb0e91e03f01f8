"""Pure arithmetic on numbers. Standard library only. What the rules in SQL compute stands in pipeline/models alone.

"methods, section N" in docstrings and comments is section N of README.md in this folder, which also says what "the
article", "the ratio post", "the P100 study" and "AI and Compute" are.
"""
