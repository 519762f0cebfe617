# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs commands as a reader does: in a folder beside the collection, for a service."""

import collection
import demo
import programs


def run(
    command,
    folder,
    service=None,
    **variables,
):
    """What becomes of a command, all of whose output is in stdout."""
    collection.link(folder / "collections")
    environment = {
        **demo.settings(folder),
        "NO_PROXY": "*",
        "PATH": f"{programs.folder()}:{demo.BIN}:/usr/bin:/bin",
        "ZONESMITH_STATE_DIR": str(folder / "state"),
        **(service.environment(folder / "state") if service else {}),
        **variables,
    }
    return programs.called(
        ["sh", "-c", command] if isinstance(command, str) else command, folder, environment
    )
