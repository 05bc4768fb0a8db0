"""How Sphinx builds the site. `docs/site/build.py` prepares what it reads."""

import sluicegate

project = "Sluicegate"
author = "the Sluicegate authors"
version = release = sluicegate.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_heading_anchors = 4
autodoc_default_options = {"members": True, "undoc-members": True, "member-order": "bysource"}
autodoc_typehints = "description"
autodoc_class_signature = "separated"
# A docstring is written for people at a terminal first: how its lists are indented is no error. A link that leads nowhere is.
suppress_warnings = ["docutils", "autodoc", "ref.python", "myst.header", "misc.highlighting_failure"]
html_theme = "furo"
html_title = "Sluicegate"
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
smartquotes = False
