"""What a tournament's result looks like: text for the terminal, and a folder of files to keep and to show."""

from flipdrop.arena.reports.folder import FILES, check_folder, write_report
from flipdrop.arena.reports.tables import text_report

__all__ = ["FILES", "check_folder", "text_report", "write_report"]
