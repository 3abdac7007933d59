"""The pages of experiments: one HTML file that needs nothing else, one Markdown file with figures beside it.

Both are functions of results, and say the same: `content` is what they say, `html` and `markdown` are how, `drawing`
makes the figures.
"""

from flipdrop.experiments.pages.content import Content, Section, content_of
from flipdrop.experiments.pages.folder import write_pages
from flipdrop.experiments.pages.html import html
from flipdrop.experiments.pages.markdown import markdown

__all__ = ["Content", "Section", "content_of", "html", "markdown", "write_pages"]
