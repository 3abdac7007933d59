"""Learning with a table: an entry for every position of a small board, nothing guessed from other positions.

`rules` holds the three update rules, as short as they are in textbooks; `playing` the games they learn from;
`judging` says how far from perfect the result is.
"""

from flipdrop.learning.tables.exploitability import BestResponse, Exploitability
from flipdrop.learning.tables.learner import TableLearner
from flipdrop.learning.tables.settings import RULES, TableSettings, fits_a_table
from flipdrop.learning.tables.state_space import StateSpace

__all__ = ["RULES", "BestResponse", "Exploitability", "StateSpace", "TableLearner", "TableSettings", "fits_a_table"]
