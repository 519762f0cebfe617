# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options that the writing modules share besides."""

from __future__ import annotations


class ModuleDocFragment:
    """Documentation of WRITING_OPTIONS in module_utils/_run/module.py."""

    DOCUMENTATION = r"""
options:
  txt_format:
    description:
      - How the values of TXT records are sent.
      - With V(auto), in quotes where the zone's present TXT values are shown in quotes. Otherwise V(plain), and if the
        service refuses that, once more V(quoted), and V(quoted) from then on.
      - With V(auto), a value that comes back wrong, cut at a C(;) or with its quotes as part of the text, is noticed.
        What came of it is taken out, for which the set is deleted and created again, and the other form is used, with a
        warning. It is remembered in O(state_dir) and comes first from then on.
      - Where neither form comes back right, or V(plain) or V(quoted) does not, the task fails and names this option.
        The wrong value stays in the set until a task removes it.
      - With V(plain), as the text itself. A text that could be taken for a quoted one, or that cannot be printed, is
        sent in quotes all the same.
      - With V(quoted), in zone-file form, in chunks of at most 255 bytes.
      - Whatever is sent, values are compared by their text. V("v=spf1 " "-all") and V(v=spf1 -all) are one value.
    type: str
    choices:
      - auto
      - plain
      - quoted
    default: auto
  state_dir:
    description:
      - A folder for the lock of the zone, and for a journal of the record sets that are being rebuilt, from which the
        next run completes what an interrupted one has left. It is written to only when there is something to write or
        to complete.
      - It also holds what was written to the zone in the last minute, because a reading can be older than that, the
        TTLs that the service keeps in place of others, and the form of TXT values that it takes.
      - What cannot be completed, because the service refuses it or because others have given the set values of their
        own, is put aside in a file beside the journal, with a warning that names it. No run reads that file.
      - It is made with mode 0700, and so are the folders above it that are missing. It is refused if it is a link, if
        it belongs to another user, or if others can write to it, and so is a file in it. It must outlast the run, and
        should be shared by all runs of one controller.
      - An entry of the journal that no run can have written is not carried out. The journal is then kept beside, with
        a warning that says where and why.
      - On a local connection a relative path is one in the playbook's folder. On others, it is one in the folder where
        commands begin there, which mostly is the user's home.
      - If not set, the environment variable E(ZONESMITH_STATE_DIR) is used, of the controller. The path that it has is
        one where the module runs, as whom it runs there. The notes tell more.
    type: path
    default: ~/.ansible/zonesmith
  state_url:
    description:
      - A PostgreSQL database for lock and journal, in place of O(state_dir), as
        C(postgresql://USER:PASSWORD@HOST/DATABASE). For runs whose machine does not outlast them, such as jobs of CI
        and pods of AWX, and for several machines that write to one zone.
      - The lock is one of the session, so it ends with its holder, whatever happens to that; there is none to break by
        hand. A run whose connection is lost takes the lock again if nobody had it meanwhile. It stops before its next
        request to the service if somebody had, and finishes no more than the record sets that it has already deleted if
        the database is out of reach.
      - The tables are made on first use, in the schema C(zonesmith), for which the role needs the right to create in
        the database. A role that only uses them needs C(USAGE) on the schema, and of its tables C(SELECT) on
        C(version), C(SELECT), C(INSERT) and C(UPDATE) on C(zone), C(SELECT), C(INSERT) and C(DELETE) on C(journal),
        and C(SELECT) and C(INSERT) on C(aside).
      - A newer version of the collection brings the tables up to date, as their owner. An older one then says that it
        is too old, and changes nothing.
      - It must not lead through a connection pooler, behind which a lock is not its holder's. What libpq knows can be
        part of it, such as C(?sslmode=verify-full&sslrootcert=/etc/ssl/db.pem).
      - What runs of this machine have left in O(state_dir) is completed first. O(state_dir) itself is not to be given
        as an option beside it.
      - Needs the Python library psycopg, in version 3.1 or newer, where the module runs.
      - If not set, the environment variable E(ZONESMITH_STATE_URL) is used, of the controller.
    type: str
"""
