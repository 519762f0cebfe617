# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How Sphinx shows the documentation. docs/docsite/build.py calls it."""

from __future__ import annotations

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

project = "zonesmith.dns"
author = "the zonesmith.dns contributors"
project_copyright = f"2026, {author}"

extensions = ["myst_parser", "sphinx_antsibull_ext", "sphinx_copybutton"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
default_role = "any"
nitpicky = True

# A link to a heading works as it does on a code hosting site.
myst_heading_anchors = 3

html_theme = "furo"
html_title = "zonesmith.dns"
html_static_path = ["static"]
html_css_files = ["zonesmith.css"]
html_copy_source = False
html_show_sphinx = False
antsibull_ext_color_scheme = "default-autodark"
pygments_style = "ansible"
highlight_language = "yaml+jinja"

ANSIBLE = "https://docs.ansible.com/projects/ansible/latest"
ANSIBLE_LABELS = {
    "action_plugins": "plugins/action.html#action-plugins",
    "ansible_configuration_settings": "reference_appendices/config.html#ansible-configuration-settings",
    "callback_plugins": "plugins/callback.html#callback-plugins",
    "common_return_values": "reference_appendices/common_return_values.html#common-return-values",
}


def link_to_ansible(
    _app: Sphinx, _environment: BuildEnvironment, reference: pending_xref, text: nodes.TextElement
) -> nodes.reference | None:
    """Lead what antsibull-docs refers to in Ansible's own documentation there, without asking for its inventory."""
    target = reference["reftarget"]
    if reference["reftype"] == "envvar" and target.startswith("ANSIBLE_"):
        page = f"reference_appendices/config.html#envvar-{target}"
    elif target in ANSIBLE_LABELS:
        page = ANSIBLE_LABELS[target]
    else:
        return None
    return nodes.reference("", "", text, refuri=f"{ANSIBLE}/{page}", internal=False)


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("missing-reference", link_to_ansible)
