"""Experiments: the tables of reports R1 to R5 and the questions that they left open, each with many games.

A module is an experiment: ``r1_2.py`` is table R1.2, ``q_leaf.py`` a question. Its `EXPERIMENT` has the claim, the
tasks to run and the conclusion from their results. `running` runs tasks, `pages` writes the pages, and `catalogue`
finds the experiments by the names of their modules.
"""
