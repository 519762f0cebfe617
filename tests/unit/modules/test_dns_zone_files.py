# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zones to files: which files a task makes of which zones, what it leaves alone, and what it never writes through."""

import json
import os
import stat

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from one_file import read_zone_file
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.names import relative_name
from ansible_collections.zonesmith.dns.plugins.module_utils._files.zone_folder import (
    Kept,
    ZoneFolder,
)

WWW = ("www", "A", 300, ["192.0.2.1"])
MAIL = ("@", "MX", 300, ["10 mail.example.net."])
ZONE = "example.com."


@pytest.fixture(autouse=True)
def _account(service):
    """Two zones, and one whose name has a slash."""
    service.zone("example.com", [WWW])
    service.zone("example.net", [MAIL])
    service.zone(
        "0/25.2.0.192.in-addr.arpa", [("1", "PTR", 300, ["www.example.com."])], slug="reverse"
    )


@pytest.fixture
def dest(tmp_path):
    """Where the files are to be; not there yet."""
    return tmp_path / "zones"


@pytest.fixture
def keep(run, dest):
    """Runs the module for that folder, and gives its result."""
    return lambda **options: run("dns_zone_files", dest=str(dest), **options)


def tree(folder):
    """All files in a folder, with what is in them."""
    files = (path for path in sorted(folder.rglob("*")) if not path.is_dir())
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in files}


def put(folder, files):
    """Write files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def changed(result):
    """The names of the files that were written."""
    return [os.path.basename(file["path"]) for file in result["files"] if file["changed"]]


@pytest.mark.parametrize("shows", ["no_soa", "nothing"])
def test_a_file_is_not_emptied_by_an_answer_that_is_not_whole(keep, dest, service, shows):
    keep()
    before = tree(dest)
    service.habits("example.com", shows=shows)
    refused = keep()
    assert refused["msg"] == (
        "cannot read zone example.com: the service's answer lacks the zone's SOA, so it may lack other record sets "
        "too; try again later."
    )
    assert tree(dest) == before


def test_only_what_differs_is_written(keep, dest, service):
    mask = os.umask(0o026)
    try:
        keep()
    finally:
        os.umask(mask)
    com, net = dest / "example.com.zone", dest / "example.net.zone"
    assert stat.S_IMODE(com.stat().st_mode) == 0o640, "a new file has the rights of any"
    com.chmod(0o604)
    service.zone("example.com", [("www", "A", 300, ["192.0.2.2"])])
    before = net.stat().st_ino
    result = keep()
    assert changed(result) == [com.name]
    headers = [(one["before_header"], one["after_header"]) for one in result["diff"]]
    assert headers == [(str(com), str(com))]
    assert "192.0.2.2" in com.read_text()
    assert stat.S_IMODE(com.stat().st_mode) == 0o604
    assert net.stat().st_ino == before


@pytest.mark.parametrize("update", [True, False])
def test_whether_a_file_keeps_what_is_not_wrong(keep, dest, update):
    text = "; ours\n$ORIGIN example.com.\n$TTL 5m\nwww  A  192.0.2.1   ; the web\n"
    put(dest, {"example.com.zone": text})
    result = keep(zones=["example.com"], update=update)
    assert result["changed"] is not update
    assert (tree(dest)["example.com.zone"] == text) is update
    assert not keep(zones=["example.com"], update=update)["changed"]


def test_a_file_that_no_task_could_read_is_brought_up_to_date(keep, dest):
    """Its records have no TTL, and one names a URL."""
    old = "www A 192.0.2.9 ; the web\nold CNAME http://a.example.net.\nlab A 192.0.2.7\n"
    put(dest, {"example.com.zone": old})
    result = keep(zones=["example.com"], ignore=[{"name": "lab"}])
    assert changed(result) == ["example.com.zone"]
    new = "www 300 A 192.0.2.1 ; the web\nlab 3600 A 192.0.2.7\n"
    assert tree(dest)["example.com.zone"] == new


def test_a_file_that_is_called_otherwise_stays_so(keep, dest):
    zone = "www 300 IN A 192.0.2.9\n"
    put(dest, {"Example.COM.zone": zone, "README.md": "x", ".example.net.zone": "x"})
    result = keep(zones=["example.com", "EXAMPLE.NET."])
    assert changed(result) == ["Example.COM.zone", "example.net.zone"]
    assert "192.0.2.1" in tree(dest)["Example.COM.zone"]


def test_two_files_of_one_zone(keep, dest):
    put(dest, {"Example.COM.zone": "", "example.com.zone": ""})
    message = f"{dest}/Example.COM.zone and {dest}/example.com.zone are both for the same zone."
    assert keep()["msg"] == message


ALL = [WWW, MAIL, ("_dmarc", "TXT", 300, ["v=DMARC1"])]
PARTS = {
    "example.com.zone/hosts.zone": "$TTL 300\nwww A 192.0.2.1\n",
    "example.com.zone/mail.zone": "$TTL 300\n@ MX 10 mail.example.net.\n_dmarc TXT v=DMARC1\n",
}


@pytest.mark.parametrize(
    "sets, files",
    [
        ([*ALL, ("www", "AAAA", 300, ["2001:db8::1"])], ["hosts.zone"]),
        ([*ALL, ("@", "TXT", 300, ["v=spf1 -all"])], ["mail.zone"]),
        ([*ALL, ("zzz", "TXT", 300, ["x"])], ["hosts.zone"]),
    ],
    ids=["name that is there", "at the apex", "nearest"],
)
def test_parts_keep_their_sets(keep, dest, service, sets, files):
    service.zone("example.com", sets)
    put(dest, PARTS)
    result = keep(zones=["example.com"])
    assert changed(result) == files
    assert [file["path"] for file in result["files"]] == [f"{dest}/{name}" for name in PARTS]


INCLUDING = {
    "a part": {
        "example.com.zone/hosts.zone": "$TTL 5m ; short\n$INCLUDE more/web  ; of the web team\nftp  A  192.0.2.7\n",
        "example.com.zone/more/web": "www A 192.0.2.1\n",
    },
    "a file, and a snippet of many zones": {
        "example.com.zone": "$TTL 5m\n$INCLUDE shared/web.inc\nftp A 192.0.2.7\n",
        "shared/web.inc": "www A 192.0.2.1\n",
    },
}


@named_rows("files", INCLUDING)
def test_what_is_included_is_edited_around(keep, dest, service, files):
    put(dest, files)
    task = {"zones": ["example.com"]}
    service.zone("example.com", [WWW, ("ftp", "A", 300, ["192.0.2.8"])])
    keep(**task)
    edited, included = files
    after = {**files, edited: files[edited].replace("192.0.2.7", "192.0.2.8")}
    assert tree(dest) == after
    service.zone("example.com", [("www", "A", 300, ["192.0.2.2"])])
    message = keep(**task)["msg"]
    assert f"line 1 of {dest}/{included} is in an included file" in message
    assert tree(dest) == after


def test_parts_are_not_written_anew(keep, dest):
    put(dest, PARTS)
    message = keep(zones=["example.com"], update=False)["msg"]
    assert message.endswith(
        f"{dest}/example.com.zone has the zone in parts, which are written only with update."
    )
    assert tree(dest) == PARTS


def test_globs(keep):
    result = keep(zones=["*.NET", "nothing*"])
    assert changed(result) == ["example.net.zone"]
    assert result["warnings"] == [
        "nothing in the account matches zones[1] ('nothing*'): is that spelled correctly?"
    ]
    assert keep(zones=[])["warnings"] == ["zones is empty, so no zone is read"]


def test_what_is_ignored_is_not_written(keep, dest, service):
    service.zone("example.com", [WWW, ("_acme-challenge", "TXT", 60, ["token"])])
    text = "www 300 IN A 192.0.2.9\n@ 60 MX 10 by.hand.example.\n"
    put(dest, {"example.com.zone": text})
    task = {"zones": ["example.com"]}
    ignore = [{"name": "_acme*", "type": "TXT"}, {"type": "MX"}]
    assert not keep(**task, ignore=[*ignore, {"value": "192.*"}])["changed"]
    assert keep(**task, ignore=ignore)["changed"]
    assert tree(dest)["example.com.zone"] == text.replace("192.0.2.9", "192.0.2.1")
    message = keep(ignore=[{"name": "x.example.org."}])["msg"]
    assert message == "ignore names 'x.example.org.', which can match nothing in any of the zones."


@pytest.mark.parametrize("live, line", [("acme-1", "text"), ("text", "acme-1")])
@pytest.mark.parametrize("update", [True, False])
def test_what_is_ignored_of_a_set_that_the_file_has_otherwise(
    keep, dest, service, live, line, update
):
    """A set is ignored where a value matches, be it of the zone or of the file."""
    text = f"www 300 IN A 192.0.2.1\n@ 60 IN TXT {line}\n"
    put(dest, {"example.com.zone": text})
    service.zone("example.com", [WWW, ("@", "TXT", 60, [live])])
    result = keep(zones=["example.com"], ignore=[{"value": "acme*"}], update=update)
    assert result["changed"] is not update
    if update:
        assert tree(dest)["example.com.zone"] == text
    else:
        assert ("TXT" in tree(dest)["example.com.zone"]) == (live == "text")


def test_what_is_ignored_stays_in_its_part(keep, dest):
    files = {
        **PARTS,
        "example.com.zone/hosts.zone": "$TTL 300\n$INCLUDE web\n",
        "example.com.zone/web": "www A 192.0.2.9\n",
    }
    put(dest, files)
    ignore = [{"name": "www"}, {"type": "MX"}, {"name": "_dmarc"}]
    assert not keep(zones=["example.com"], ignore=ignore)["changed"]


def test_files_of_zones_that_are_gone(keep, dest):
    files = {
        "old.example.zone": "x 300 IN A 192.0.2.1\n",
        "older.example.zone": "",
        "no zone.zone": "x",
    }
    put(dest, files)
    made = ["0%2F25.2.0.192.in-addr.arpa.zone", "example.com.zone", "example.net.zone"]
    assert changed(keep()) == made
    only_one = keep(remove=True, zones=["old.example", "example.com"], check=True)
    assert changed(only_one) == ["old.example.zone"]
    assert only_one["diff"][0]["before"] == files["old.example.zone"]
    assert only_one["diff"][0]["after"] == ""
    gone = ["old.example.zone", "older.example.zone"]
    assert changed(keep(remove=True)) == gone
    assert [*tree(dest)] == [*made, "no zone.zone"]
    assert not keep(remove=True)["changed"]


def test_the_files_of_another_account_stay(keep, dest):
    put(dest, {"old.example.zone": ""})
    message = (
        "remove would delete every zone file in dest, since the account has none of their zones: is dest the folder of "
        "another account? Nothing was changed."
    )
    assert keep(remove=True)["msg"] == message
    assert [*tree(dest)] == ["old.example.zone"]


def test_a_folder_of_a_zone_that_is_gone(keep, dest):
    put(dest, {"old.example.zone/a.zone": "", "example.com.zone": ""})
    gone = f"{dest}/old.example.zone"
    message = f"{gone} is the folder of a zone that no longer exists: remove it by hand."
    assert keep(remove=True)["msg"] == message
    assert tree(dest)["example.com.zone"] == ""


# Each row: what is in dest, and the end of what is said of the zone example.com.
UNUSABLE = {
    "a line that cannot be read": (
        lambda path: path.write_text("www 300 IN A x\n", encoding="utf-8"),
        "line 1 of {} cannot be used: www A: 'x' is not a value of type A: ",
    ),
    "a vault": (
        lambda path: path.write_text("$ANSIBLE_VAULT;1.1;AES256\n", encoding="utf-8"),
        "{} cannot be used: it is encrypted with Ansible Vault, and would be written unencrypted: decrypt it ",
    ),
    "a link": (
        lambda path: path.symlink_to("precious"),
        "{} cannot be used: it is a link, and links are not followed",
    ),
    "a pipe": (os.mkfifo, "{} cannot be used: it is not a file"),
}


@named_rows("make, message", UNUSABLE)
def test_what_is_there_cannot_be_used(keep, dest, make, message):
    put(dest, {"precious": "precious"})
    path = dest / "example.com.zone"
    make(path)
    result = keep()
    assert result["msg"].startswith(
        f"1 of 3 zones cannot be written, and nothing was changed: zone example.com: {message.replace('{}', str(path))}"
    )
    assert not result["changed"]
    assert (dest / "precious").read_text(encoding="utf-8") == "precious"
    assert not (dest / "example.net.zone").exists()


def test_a_comment_keeps_its_bytes_in_whatever_encoding(keep, dest):
    path = dest / "example.com.zone"
    put(dest, {path.name: "www 300 IN A 192.0.2.9\n"})
    path.write_bytes(b"; gr\xfcn\n" + path.read_bytes())
    assert "example.com.zone" in changed(keep())
    assert path.read_bytes() == b"; gr\xfcn\nwww 300 IN A 192.0.2.1\n"


def test_a_file_that_nobody_can_read_is_replaced_where_none_is_kept(keep, dest):
    put(dest, {"example.com.zone": "what?\n"})
    assert keep(zones=["example.com"], update=False)["changed"]
    (dest / "example.net.zone").symlink_to("elsewhere")
    assert keep(zones=["example.net"], update=False)["failed"]
    assert not (dest / "elsewhere").exists()


def test_a_zone_that_the_account_does_not_have(keep, dest):
    result = keep(zones=["example.org", "x", "y*"])
    assert result["msg"] == ("zones names zones that the account does not have: example.org, x.")
    assert not dest.exists()


def test_dest_is_a_file(run, tmp_path):
    (tmp_path / "file").touch()
    assert run("dns_zone_files", dest=f"{tmp_path}/file")["msg"] == (
        f"dest {tmp_path}/file cannot be read: Not a directory."
    )


@pytest.mark.parametrize("check", [False, True], ids=["run", "check mode"])
def test_dest_is_made_with_the_folders_above_it(run, tmp_path, check):
    dest = tmp_path / "none" / "yet"
    assert run("dns_zone_files", dest=str(dest), check=check)["changed"]
    assert dest.exists() is not check


@pytest.mark.parametrize("name", ["../../etc/x", "a b.example", "x\ny.example", ".."])
def test_a_zone_with_a_name_that_is_none(keep, dest, name, recorder):
    """Whoever names zones does not choose where a file is written."""
    recorder.answers(
        b'{"status": "Success", "total": 1, "data": [{"name": %s, "slug": "x", "status": true}]}'
        % json.dumps(name).encode()
    )
    result = keep(base_url=recorder.url)
    assert result["failed"]
    assert not dest.exists()


def test_what_was_written_before_a_failure_is_told(keep, dest, monkeypatch):
    replace = os.replace

    def refuse(source, target, **folders):
        if target == "example.com.zone":
            raise OSError(28, "No space left on device")
        replace(source, target, **folders)

    monkeypatch.setattr(os, "replace", refuse)
    result = keep()
    assert result["msg"] == (
        f"{dest}/example.com.zone cannot be written: No space left on device; the files before it were written."
    )
    assert result["changed"]
    assert changed(result) == [*tree(dest)] == ["0%2F25.2.0.192.in-addr.arpa.zone"]


def test_a_folder_of_parts_that_becomes_a_link_is_not_written_through(
    keep, dest, tmp_path, monkeypatch
):
    elsewhere = {"a.zone": "www 300 IN A 192.0.2.7\n", "b.zone": "$TTL 300\n"}
    put(tmp_path / "elsewhere", elsewhere)
    parts = dest / "example.com.zone"
    put(parts, {"a.zone": "www 300 IN A 192.0.2.9\n", "b.zone": "mail 300 IN A 192.0.2.9\n"})
    replace = os.replace

    def then_swapped(source, target, **folders):
        replace(source, target, **folders)
        if os.path.basename(target) == "a.zone":
            parts.rename(tmp_path / "gone")
            parts.symlink_to(tmp_path / "elsewhere")

    monkeypatch.setattr(os, "replace", then_swapped)
    result = keep(zones=["example.com"])
    assert result["msg"] == (
        f"{parts}/b.zone cannot be written: Not a directory; the files before it were written."
    )
    assert tree(tmp_path / "elsewhere") == elsewhere


def test_a_link_in_place_of_a_file_gives_no_rights(tmp_path):
    """A link itself is one that everybody may write."""
    (tmp_path / "a.zone").symlink_to("elsewhere")
    Kept(str(tmp_path / "a.zone"), "", "text").write()
    assert stat.S_IMODE((tmp_path / "a.zone").lstat().st_mode) & 0o022 == 0
    assert os.listdir(tmp_path) == ["a.zone"]


OWNERS = st.sampled_from(["@", "www", "a.www", "b.www", "mail", "x.mail", "*"])
HELD = st.dictionaries(OWNERS, st.integers(1, 2), max_size=6)


@example({"www": 1}, {"@": 1})
@given(st.dictionaries(OWNERS, st.integers(0, 2), max_size=6), HELD)
@settings(max_examples=100, deadline=None)
def test_any_zone_goes_into_any_parts(parts, live):
    """What the parts say afterwards is the zone, a set stays where it was, and a second time changes nothing."""
    texts = dict.fromkeys("012", "")
    for name, part in parts.items():
        texts[str(part)] += f"{name} 300 IN A 192.0.2.1\n"
    records = [
        {"name": name, "type": "A", "ttl": 300, "contents": [f"192.0.2.{number}"]}
        for name, number in live.items()
    ]

    def written(texts):
        found = {"parts": texts, "included": {}}
        kept = ZoneFolder("zones", updates=True).with_records(ZONE, found, records)
        return {os.path.basename(file.path): str(file.after) for file in kept}

    after = written(texts)
    assert written(after) == after
    found = []
    for part, text in after.items():
        for entry in read_zone_file(text, ZONE):
            name = relative_name(entry["name"], ZONE)
            found.append(name)
            assert parts.get(name, int(part)) == int(part)
    assert sorted(found) == sorted(live)
