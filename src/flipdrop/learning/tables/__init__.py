"""Tabular learning: an entry for every position of a small board, without generalisation.

`rules` holds the update rules, and `exploitability` compares the result with perfect play.
"""

from flipdrop.learning.tables.exploitability import BestResponse, Exploitability
from flipdrop.learning.tables.learner import TableLearner
from flipdrop.learning.tables.settings import RULES, TableSettings, fits_a_table
from flipdrop.learning.tables.state_space import StateSpace

__all__ = ["RULES", "BestResponse", "Exploitability", "StateSpace", "TableLearner", "TableSettings", "fits_a_table"]
