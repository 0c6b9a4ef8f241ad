"""The site of the documents: ``sphinx-build -W -c docs . OUTPUT`` makes it (extra ``docs``).

Its source is the whole project, so that links between documents are the same here and on a forge.
"""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

project = "Hearts server"
extensions = ["myst_parser"]
html_theme = "furo"
master_doc = "docs/index"
include_patterns = [
    "*.md",
    "docs/**.md",
    "hearts/**.md",
    "hearts_*/**.md",
    "tests/**.md",
]
exclude_patterns = ["**/node_modules"]
myst_heading_anchors = 4
html_title = project
html_copy_source = False
smartquotes = False  # --host is no dash


def _unlink_folders(app: Sphinx, document: nodes.document) -> None:
    """Make a link to a folder its text alone: the site has documents only."""
    here = Path(document["source"]).parent
    for link in list(document.findall(pending_xref)):
        if (here / link["reftarget"]).is_dir():
            link.replace_self(link.children)


def _lead_to_front_page(app: Sphinx, error: Exception | None) -> None:
    to = f'<!doctype html><title>{project}</title><meta http-equiv="refresh" content="0; url={{}}">'
    (app.outdir / "index.html").write_text(to.format(f"{master_doc}.html"), "utf-8")


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("doctree-read", _unlink_folders)
    app.connect("build-finished", _lead_to_front_page)
    app.add_lexer("hex", TextLexer)
