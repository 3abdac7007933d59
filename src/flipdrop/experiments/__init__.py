"""Experiments: the tables of reports R1 to R5, and the questions they left open, each run with enough games.

A module is an experiment: ``r1_2.py`` has the table R1.2, ``q_leaf.py`` a question. Its `EXPERIMENT` says what was
claimed, what has to be run and what the results mean; `experiment`, `tasks`, `words` and `plots` are what they are
written with, `running` runs them, and `pages` makes the pages. `catalogue` finds them by the names of the modules.
"""
