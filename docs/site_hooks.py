"""What the site takes from files beside docs/: changelog, contributing, security; with links as the site has them.

Notebooks become pages: their stored outputs stand below the code, as HTML, as drawings or as text.
"""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

_ROOT = Path(__file__).parents[1]
_PAGES = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md", "security.md": "SECURITY.md"}
_NOTEBOOK_LINK = re.compile(r"\]\(([\w/.-]+)\.ipynb\)")
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^):#\s]+)(#[^)]*)?\)")


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages of the project's folder."""
    for page, source in _PAGES.items():
        text = (_ROOT / source).read_text(encoding="utf-8").replace("](docs/", "](")
        for other, name in _PAGES.items():
            text = text.replace(f"]({name})", f"]({other})")
        files.append(File.generated(config, page, content=text))
    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        page = notebook.src_uri.removesuffix(".ipynb") + ".md"
        content = notebook_page(json.loads(Path(notebook.abs_src_path).read_text(encoding="utf-8")))
        link = f'<a href="{notebook.name}.ipynb" download>This notebook as a file</a>'
        files.append(File.generated(config, page, content=f"{content}\n\n{link}\n"))
    return files


def notebook_page(notebook: dict[str, Any]) -> str:
    """A notebook as Markdown."""
    parts: list[str] = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        parts += map(_output, cell["outputs"])
    return "\n\n".join(parts)


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    for kind in ("text/html", "image/svg+xml"):
        if kind in data:  # one line: Markdown ends a block of HTML at an empty one
            shown = re.sub(r"\s*\n\s*", " ", "".join(data[kind]))
            return f'<div class="notebook-output">{shown}</div>'
    return f"```text\n{''.join(output.get('text') or data.get('text/plain', '')).rstrip()}\n```"


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Links to files that are not part of the site become the names of the files."""
    markdown = markdown.replace("](results.html)", "](results.md)")  # the page that the package shows by itself
    markdown = markdown.replace("](../../SECURITY.md)", "](../security.md)")
    markdown = _NOTEBOOK_LINK.sub(r"](\1.md)", markdown)  # to the pages of notebooks
    folder = posixpath.dirname(page.file.src_uri)

    def within(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, found[2]))
        return f"{found[1]} (`{target.lstrip('./')}`)" if target.startswith("..") else found[0]

    return _LINK.sub(within, markdown)
