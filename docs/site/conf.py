"""Sphinx: the site of `make site`, from the pages that docs/site/pages.py gathers."""

import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ["GENSYN_ROOT"])
sys.path.insert(0, str(ROOT / "python"))

project = "gensyn"
release = version = re.search(r"project\(Gensyn VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

myst_heading_anchors = 5
# What mlir-tblgen writes begins with headings of the third level, and its MLIR has no lexer.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
highlight_language = "text"

# The API comes from the sources; the extension module would need a build.
autodoc_mock_imports = ["gensyn._core"]
autodoc_member_order = "bysource"
default_role = "code"  # docstrings have Markdown's backticks
napoleon_use_ivar = True
add_module_names = False

html_theme = "furo"
html_title = f"gensyn {version}"
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
# Pages need no server and no network: fonts are those of the reader, and the search index is a script.
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}


def skip_field(app, what, name, value, skip, options):
    """Fields of named tuples are in the docstrings of their classes."""
    return True if type(value).__name__ == "_tuplegetter" else None


def setup(app):
    app.connect("autodoc-skip-member", skip_field)
