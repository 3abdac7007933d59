"""Reporting: number formats, tables, figures, and HTML and Markdown from the templates in ``templates/``."""
