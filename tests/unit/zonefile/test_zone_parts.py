# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A zone in several files: the parts of a folder, what they include, what is refused, and BIND as the judge."""

import random
from pathlib import Path

import pytest
from any_zone_file import ZoneFile
from examples import some
from one_file import lines
from read_by_bind import NO_CHECKS, as_read_by_bind, read_by_bind, without_ttls
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._files import zone_parts as _zone_parts
from ansible_collections.zonesmith.dns.plugins.module_utils._files.zone_parts import (
    read_zone,
    sources,
    zone_called,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile import included as _included
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile import zone_file as _zone_file
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import (
    InvalidZoneFile,
    Source,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.included import (
    Included,
    included_paths,
    is_followed,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_file import (
    read_zone_parts,
)

ZONE = "example.com."
FOLDER = "example.com.zone"


def read(texts):
    """The entries of ``reading_of``."""
    return reading_of(texts).task_records


def reading_of(texts, warnings=None):
    """What a folder with these texts holds; those whose names end in .zone are its parts."""
    parts = [
        Source(f"{FOLDER}/{name}", text) for name, text in texts.items() if name.endswith(".zone")
    ]
    files = {name: {"text": text} for name, text in texts.items() if not name.endswith(".zone")}
    files |= {f"./{name}": file for name, file in files.items()}
    return read_zone_parts(parts, ZONE, warnings, place=FOLDER, included=Included(FOLDER, files))


# Each row: the files, and what they say together.
READ = {
    "parts": (
        {"a.zone": "$TTL 60\na A 192.0.2.1", "b.zone": "$TTL 90\nb A 192.0.2.2"},
        ["a 60 A 192.0.2.1", "b 90 A 192.0.2.2"],
    ),
    "an origin ends with its part": (
        {"a.zone": "$TTL 60\n$ORIGIN lab\na A 192.0.2.1", "b.zone": "b 90 A 192.0.2.2"},
        ["a.lab 60 A 192.0.2.1", "b 90 A 192.0.2.2"],
    ),
    "included from a folder inside, in lower case, in quotes, with a comment": (
        {
            "a.zone": '$TTL 60\n$include "more/of it" ; that\nc A 192.0.2.3',
            "more/of it": "b A 192.0.2.2",
        },
        ["b 60 A 192.0.2.2", "c 60 A 192.0.2.3"],
    ),
    "below another origin, which ends with the file, as those inside it do": (
        {
            "a.zone": "$TTL 60\n$ORIGIN x\n$INCLUDE more lab\nc A 192.0.2.3",
            "more": "b A 192.0.2.2\n$ORIGIN y.example.com.\nd A 192.0.2.4",
        },
        ["b.lab.x 60 A 192.0.2.2", "d.y 60 A 192.0.2.4", "c.x 60 A 192.0.2.3"],
    ),
    "the owner before the line is that behind it": (
        {"a.zone": '$TTL 60\na A 192.0.2.1\n$INCLUDE more\n TXT "a"', "more": "b A 192.0.2.2\n"},
        ["a 60 A 192.0.2.1", "b 60 A 192.0.2.2", 'a 60 TXT "a"'],
    ),
    "a $TTL goes in and comes out": (
        {
            "a.zone": "$TTL 60\n$INCLUDE more\nc A 192.0.2.3",
            "more": "a A 192.0.2.1\n$TTL 90\nb A 192.0.2.2",
        },
        ["a 60 A 192.0.2.1", "b 90 A 192.0.2.2", "c 90 A 192.0.2.3"],
    ),
    "line ends of Windows, and a byte order mark": (
        {
            "a.zone": "\ufeff$TTL 60\r\n$INCLUDE more\r\nb A 192.0.2.2\r\n",
            "more": "\ufeffa A 192.0.2.1\r\n",
        },
        ["a 60 A 192.0.2.1", "b 60 A 192.0.2.2"],
    ),
    "a snippet below two origins": (
        {
            "a.zone": "$TTL 60\n$INCLUDE mail.inc\n$INCLUDE ./mail.inc lab",
            "mail.inc": "@ MX 10 mx\n",
        },
        ["@ 60 MX 10 mx.example.com.", "lab 60 MX 10 mx.lab.example.com."],
    ),
    "$INCLUDE as a value": ({"a.zone": '$TTL 60\na TXT $INCLUDE "x"'}, ['a 60 TXT "$INCLUDEx"']),
}


@named_rows("texts, expected", READ)
def test_what_files_say_together(texts, expected):
    assert lines(read(texts)) == expected


REFUSED = {
    "a set in two parts": (
        {
            "a.zone": "$TTL 60\nwww A 192.0.2.1",
            "b.zone": "$TTL 60\n\nWWW A 192.0.2.2\n A 192.0.2.3\nb A 192.0.2.4",
        },
        (
            "2 lines of {}/b.zone cannot be used: line 3: WWW A: a set must be in one part, but this one is also in "
            "line 2 of {}/a.zone: keep its records together; line 4: www A: a set must be in one part, "
        ),
    ),
    "bad lines of all files": (
        {
            "a.zone": "$TTL 60\na A x\n$INCLUDE more\nb A y",
            "more": "\nc A z",
            "b.zone": "d A 192.0.2.1\ne TXT",
            "c.zone": "c 60 A 192.0.2.1",
        },
        "2 lines of {}/a.zone cannot be used: line 2: a A: 'x' is not a value of type A: ",
    ),
    "absolute": (
        {"a.zone": "$INCLUDE /etc/passwd"},
        (
            "line 1 of {}/a.zone cannot be used: $INCLUDE is not followed: /etc/passwd is not a path "
            "relative to the file that has it, without names that begin with a dot"
        ),
    ),
    "not there": (
        {"a.zone": "$INCLUDE nowhere"},
        (
            "line 1 of {}/a.zone cannot be used: $INCLUDE is not followed: nowhere was not read: write it after "
            "$INCLUDE, on the same line"
        ),
    ),
    "a part": (
        {"a.zone": "$INCLUDE b.zone", "b.zone": ""},
        (
            "line 1 of {}/a.zone cannot be used: $INCLUDE is not followed: b.zone ends in .zone, as zones and their "
            "parts do: give the included file another name, such as b.inc"
        ),
    ),
    "the same set in two parts": (
        {"a.zone": "\n$INCLUDE x\n", "b.zone": "$INCLUDE x", "x": "a 60 A 192.0.2.1"},
        (
            "line 1 of {}/x cannot be used: a A: a set must be in one part, but this one is also in line 1 of {}/x: "
            "keep its records together"
        ),
    ),
    "itself": (
        {"a.zone": "$INCLUDE x\n", "x": "$INCLUDE x"},
        "line 1 of {}/x cannot be used: $INCLUDE is not followed in a text or an included file: ",
    ),
    "nothing to include": (
        {"a.zone": "$INCLUDE"},
        "line 1 of {}/a.zone cannot be used: $INCLUDE takes a path and, where names are relative to another, an origin",
    ),
    "an origin outside the zone": (
        {"a.zone": "$INCLUDE x example.net.", "x": "\na 60 A 192.0.2.1"},
        "line 2 of {}/x cannot be used: a A: name 'a.example.net.' is not inside the zone example.com.: ",
    ),
}


@named_rows("texts, said", REFUSED)
def test_what_cannot_be_read_together(texts, said):
    with pytest.raises(InvalidZoneFile) as refused:
        read(texts)
    assert str(refused.value).startswith(said.replace("{}", FOLDER))


def test_all_parts_together_have_bounds(monkeypatch):
    texts = {f"{part}.zone": f"$TTL 60\n$GENERATE 1-6 {part}$ A 192.0.2.1" for part in "ab"}
    monkeypatch.setattr(_zone_file, "MAX_RECORDS", 12)
    assert len(read(texts)) == 12
    monkeypatch.setattr(_zone_file, "MAX_RECORDS", 11)
    with pytest.raises(
        InvalidZoneFile,
        match=r"^line 2 of .*/b.zone cannot be used: b\$ A: the file has more than 11 records$",
    ):
        read(texts)


def test_all_that_is_included_together_has_bounds(monkeypatch):
    texts = {"a.zone": "$INCLUDE x\n$INCLUDE x b\n", "x": "a 60 A 192.0.2.1"}
    monkeypatch.setattr(_included, "MOST_CHARACTERS", 32)
    assert len(read(texts)) == 2
    monkeypatch.setattr(_included, "MOST_CHARACTERS", 31)
    with pytest.raises(
        InvalidZoneFile,
        match=r"^line 2 of .*/a.zone cannot be used: the files that it includes have more than 31 ",
    ):
        read(texts)


def test_a_line_is_told_with_the_file_that_has_it():
    warnings = []
    texts = {
        "a.zone": "$TTL 60\n@ NS ns1.example.net.\na A 192.0.2.1\n$INCLUDE x\n",
        "x": "x TXT a; b=c\na 90 A 192.0.2.2\n",
    }
    reading = reading_of(texts, warnings)
    assert [str(one.first.where) for one in reading.sets.values()] == [
        f"line 3 of {FOLDER}/a.zone",
        f"line 1 of {FOLDER}/x",
    ]
    assert [*reading.owned] == [(ZONE, "NS")]
    assert [warning.partition(": ")[0] for warning in warnings] == [
        f"line 1 of {FOLDER}/x, x.example.com. TXT",
        f"line 2 of {FOLDER}/x, a.example.com. A",
    ]


@pytest.mark.parametrize("path", ["a", "a/b.c", "./a", "../a", "../../a/b", "a/../b"])
def test_paths_that_are_followed(path):
    assert is_followed(path)


@pytest.mark.parametrize("path", ["", "a//b", "/a", "a/", "a/.b", ".a", "a\\b", "a\0b", "a\u202eb"])
def test_paths_that_are_not_followed(path):
    assert not is_followed(path)


def test_paths_in_a_text():
    text = '\ufeff$INCLUDE a\r\n$include\t"b c" x\r $INCLUDE no\n$INCLUDE ../d\n;$INCLUDE no\n$INCLUDE a\n'
    text += "$INCLUDE e;f\n$INCLUDE .x\n$INCLUDE ../.x\n$INCLUDE /x\n$INCLUDE"
    assert included_paths(text) == ["a", "b c", "../d", "e"]


# Folders


def whole(path, most):
    """The text of a file, as the modules read it."""
    try:
        content = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        return {"reason": str(error.strerror)}
    return {"text": content} if len(content) <= most else {"reason": "it is too large"}


def put(folder, files):
    """Write files; what begins with -> is a link to what follows."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("->"):
            path.symlink_to(text[2:])
        else:
            path.write_text(text, encoding="utf-8")


OUTSIDE = {"reason": f"it is outside the folder {FOLDER}, or hidden"}
OF_FOLDER = {
    "parts, in the order of their names": (
        {"b.zone": "b", "a.zone": "a", "README.md": "no", ".c.zone": "no", "d/e.zone": "no"},
        {"parts": {"a.zone": "a", "b.zone": "b"}, "included": {}},
    ),
    "what is included": (
        {"a.zone": "$INCLUDE x\n$INCLUDE d/y\n$INCLUDE z", "x": "x", "d/y": "y", "no": "no"},
        {
            "parts": {"a.zone": "$INCLUDE x\n$INCLUDE d/y\n$INCLUDE z"},
            "included": {
                "x": {"text": "x"},
                "d/y": {"text": "y"},
                "z": {"reason": "there is no such file"},
            },
        },
    ),
    "no part": (
        {"README.md": "no"},
        {
            "reason": "it is a folder without parts of the zone, which are files whose names end in .zone"
        },
    ),
    "a part in capitals": (
        {"a.ZONE": "a"},
        {"reason": "its part a.ZONE: write .zone in lower case"},
    ),
    "a link to a part inside, as of a ConfigMap": (
        {"a.zone": "->..data/a.zone", "..data": "->..of today", "..of today/a.zone": "a"},
        {"parts": {"a.zone": "a"}, "included": {}},
    ),
    "a link out": (
        {"a.zone": "->../outside"},
        {"reason": "its part a.zone: it is a link out of the folder, or to a hidden file"},
    ),
    "a link to a folder whose name begins alike": (
        {"a.zone": "->../example.com.zone.old/a"},
        {"reason": "its part a.zone: it is a link out of the folder, or to a hidden file"},
    ),
    "what is included leads out": (
        {
            "a.zone": "$INCLUDE ../outside\n$INCLUDE x\n$INCLUDE x/../../outside",
            "x": "->../outside",
        },
        {
            "parts": {"a.zone": "$INCLUDE ../outside\n$INCLUDE x\n$INCLUDE x/../../outside"},
            "included": dict.fromkeys(("../outside", "x", "x/../../outside"), OUTSIDE),
        },
    ),
    "nothing is read for a path to a hidden file": (
        {"a.zone": "$INCLUDE .x", ".x": "no"},
        {"parts": {"a.zone": "$INCLUDE .x"}, "included": {}},
    ),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder for a zone, beside a file that is none of its business."""
    monkeypatch.chdir(tmp_path)
    Path("outside").write_text("secret", encoding="utf-8")
    folder = Path(FOLDER)
    folder.mkdir()
    return folder


@named_rows("files, found", OF_FOLDER)
def test_what_is_read_of_a_folder(files, found, folder):
    put(folder, files)
    assert read_zone(FOLDER, FOLDER, whole) == found


def test_a_folder_has_its_name_once_in_what_is_told_of_its_parts():
    parts, _included = sources({"parts": {"a.zone": ""}}, f"{FOLDER}/")
    assert parts == [Source(f"{FOLDER}/a.zone", "")]


@pytest.mark.usefixtures("folder")
def test_a_folder_that_cannot_be_listed(monkeypatch):
    def refused(_path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(_zone_parts.os, "listdir", refused)
    reason = "the folder cannot be read: Permission denied"
    assert read_zone(FOLDER, FOLDER, whole) == {"reason": reason}


OF_FILE = {
    "a snippet of many zones": (
        {"a.zone": "$INCLUDE shared/mail.inc", "shared/mail.inc": "mail"},
        {"text": "$INCLUDE shared/mail.inc", "included": {"shared/mail.inc": {"text": "mail"}}},
    ),
    "a snippet in the folder above that of the file": (
        {"a.zone": "->team/a.zone", "team/a.zone": "$INCLUDE mail.inc", "mail.inc": "mail"},
        {"text": "$INCLUDE mail.inc", "included": {"mail.inc": {"text": "mail"}}},
    ),
    "a link out of the folder": (
        {"a.zone": "$INCLUDE x\n$INCLUDE d/outside", "x": "->../outside", "d": "->.."},
        {
            "text": "$INCLUDE x\n$INCLUDE d/outside",
            "included": {"x": OUTSIDE, "d/outside": OUTSIDE},
        },
    ),
}


@named_rows("files, found", OF_FILE)
def test_what_is_read_of_a_file(files, found, folder):
    put(folder, files)
    assert read_zone(f"{FOLDER}/a.zone", FOLDER, whole) == found


def test_a_part_may_include_what_many_zones_share(tmp_path):
    put(tmp_path, {"a.zone/b.zone": "$INCLUDE ../shared/x", "shared/x": "x"})
    found = read_zone(str(tmp_path / "a.zone"), str(tmp_path), whole)
    assert found["included"] == {"../shared/x": {"text": "x"}}


def test_a_folder_that_is_gone(tmp_path):
    gone = read_zone(str(tmp_path / "gone"), str(tmp_path), whole)
    assert gone == {"reason": "No such file or directory"}


@pytest.mark.parametrize(
    "bound, most, reason",
    [
        ("LARGEST", 18, "it is too large"),
        ("MOST_FILES", 2, "the zone has more than 2 files"),
    ],
)
def test_all_files_of_a_zone_together_have_bounds(bound, most, reason, tmp_path, monkeypatch):
    put(tmp_path, {"a.zone": "$INCLUDE x\n", "b.zone": "12345", "x": "123"})
    for at_most, found in ((most + 1, {"text": "123"}), (most, {"reason": reason})):
        monkeypatch.setattr(_zone_parts, bound, at_most)
        assert read_zone(str(tmp_path), str(tmp_path), whole)["included"]["x"] == found


@pytest.mark.parametrize(
    "file, zone",
    [
        ("example.com.zone", "example.com"),
        ("Example.COM.zone", "Example.COM"),
        ("0%2F25.2.0.192.in-addr.arpa.zone", "0/25.2.0.192.in-addr.arpa"),
        ("0%2f25.2.0.192.in-addr.arpa.zone", "0/25.2.0.192.in-addr.arpa"),
    ],
)
def test_the_zone_that_a_file_is_called_after(file, zone):
    assert zone_called(file) == zone


# BIND

FILES_IN_A_TEST = 30


def with_an_include(seed):
    """A zone file as ``ZoneFile`` makes it, of which some lines are in a file that is included; and that file."""
    rng = random.Random(seed)  # noqa: S311 - the same files each time
    lines = ZoneFile(seed).lines
    head = next(at for at, line in enumerate(lines) if " NS " in line) + 1
    begin = rng.randint(head, len(lines))
    end = rng.randint(begin, len(lines))
    origin = rng.choice(["", "", " lab", " lab.example.com.", " @"])
    text = "\n".join([*lines[:begin], f"$INCLUDE more{origin}", *lines[end:]])
    return f"{text}\n", "\n".join(lines[begin:end]) + rng.choice(["\n", "", "\n\n"])


@pytest.mark.parametrize("first", range(0, some(900), FILES_IN_A_TEST))
def test_bind_reads_any_included_file_as_we_do(first, checkzone, tmp_path):
    compared = 0
    for seed in range(first, first + FILES_IN_A_TEST):
        text, more = with_an_include(seed)
        (tmp_path / "more").write_text(more, encoding="utf-8")
        there = text.replace("$INCLUDE more", f"$INCLUDE {tmp_path}/more")
        expected = read_by_bind(checkzone, there, ZONE, tmp_path / "zone", NO_CHECKS)
        # What BIND refuses, such as an alias beside an address, is for the task to refuse.
        if isinstance(expected, str):
            continue
        warnings = []
        found = as_read_by_bind(reading_of({"a.zone": text, "more": more}, warnings).task_records)
        assert without_ttls(found, warnings) == without_ttls(expected, warnings), f"{seed}\n{text}"
        compared += 1
    assert compared >= FILES_IN_A_TEST // 3
