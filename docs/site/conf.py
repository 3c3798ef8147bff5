"""The site of the documentation. scripts/make-docs writes the folder that this builds: pages of the repository at their
places, and a page for each source file that one of them links. Nothing is fetched when it is viewed."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from mlir_lexer import MlirLexer

project = "ds"
copyright = "the ds authors, Apache License v2.0 with LLVM Exceptions"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "ds"
html_static_path = ["wide.css"]
html_css_files = ["wide.css"]
html_show_sourcelink = html_copy_source = False
exclude_patterns = ["site"]
myst_enable_extensions = ["attrs_block"]
smartquotes = False  # an option such as --link keeps its two hyphens
myst_heading_anchors = 4  # as GitHub gives them
# Fragments of MLIR stand in pages, so a lexer's error is no mistake of the page.
suppress_warnings = ["misc.highlighting_failure"]
html_theme_options = {"navigation_with_keys": True}


def setup(app):
    app.add_lexer("mlir", MlirLexer)
    return {"parallel_read_safe": True}
