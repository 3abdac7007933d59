"""Icons as paths on a grid of 24 by 24: drawn by lines, in the colour of the text around them."""

from __future__ import annotations

ICONS = {
    "play": "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 3v18M12 3a9 9 0 0 1 0 18",
    "analyse": "M4 19V10M10 19V5M16 19v-7M21 19H3",
    "watch": "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 9a3 3 0 1 0 0 6a3 3 0 0 0 0-6",
    "arena": "M7 4h10v5a5 5 0 0 1-10 0zM7 5H4v2a3 3 0 0 0 3 3M17 5h3v2a3 3 0 0 1-3 3M12 14v4M8 20h8",
    "learning": "M3 18l6-6 4 4 8-9M15 7h6v6",
    "experiments": "M9 3h6M10 3v6l-5.5 9.5A1.7 1.7 0 0 0 6 21h12a1.7 1.7 0 0 0 1.5-2.5L14 9V3M7.5 15h9",
    "undo": "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
    "redo": "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
    "first": "M6 5v14M18 6l-7 6 7 6",
    "back": "M15 6l-7 6 7 6",
    "forward": "M9 6l7 6-7 6",
    "last": "M18 5v14M6 6l7 6-7 6",
    "pause": "M8 5v14M16 5v14",
    "start": "M7 5l12 7-12 7z",
    "step": "M5 5l10 7-10 7zM19 5v14",
    "flag": "M5 21V4M5 4h13l-3 4.5 3 4.5H5",
    "new": "M12 5v14M5 12h14",
    "copy": "M9 9h11v11H9zM15 9V4H4v11h5",
    "paste": "M8 5H5v16h14V5h-3M9 3h6v4H9z",
    "edit": "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
    "dark": "M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5",
    "language": "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M3 12h18M12 3c4 4 4 14 0 18M12 3c-4 4-4 14 0 18",
    "link": "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
    "stop": "M6 6h12v12H6z",
    "review": "M9 11l3 3 8-8M20 12v7H4V5h10",
}


def icon(name: str) -> str:
    """An icon as SVG."""
    return (
        '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" '
        f'stroke-linejoin="round" aria-hidden="true"><path d="{ICONS[name]}"/></svg>'
    )


LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true">'
    '<circle cx="11.5" cy="11.5" r="9" fill="#1b1e22"/><path d="M11.5 2.5a9 9 0 0 1 0 18z" fill="#f6f4ee"/>'
    '<circle cx="11.5" cy="11.5" r="9" fill="none" stroke="#8d9591" stroke-width="1"/>'
    '<circle cx="21.5" cy="21.5" r="8.5" fill="#e03e36"/><path d="M21.5 13a8.5 8.5 0 0 1 0 17z" fill="#f7c948"/></svg>'
)
"""A disc that is turned, and one that is dropped."""
