"""Pure arithmetic on numbers, using only the standard library. The arithmetic of the SQL rules is in pipeline/models.

In docstrings and comments, "methods, section N" means section N of README.md in this folder. That file also explains
"the article", "the ratio post", "the P100 study" and "AI and Compute".
"""
