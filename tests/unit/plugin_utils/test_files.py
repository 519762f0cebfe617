# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The zone files that an action reads on the controller: encrypted or not, with what they include, and none elsewhere."""

import pytest
from ansible.parsing.dataloader import DataLoader
from ansible.parsing.vault import VaultLib, VaultSecret

from ansible_collections.zonesmith.dns.plugins.plugin_utils._files import zone_files

SECRETS = [("default", VaultSecret(b"password"))]
INCLUDES = "$INCLUDE shared/mail.inc\n"
MAIL = "@ 60 MX 10 mx.example.net.\n"
READ = {"text": INCLUDES, "included": {"shared/mail.inc": {"text": MAIL}}}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a zone that includes an encrypted snippet."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "zones" / "shared").mkdir(parents=True)
    (tmp_path / "zones" / "example.com.zone").write_text(INCLUDES, "utf-8")
    encrypted = VaultLib(SECRETS).encrypt(MAIL)
    (tmp_path / "zones" / "shared" / "mail.inc").write_bytes(encrypted)
    return tmp_path / "zones"


def found(options, **more):
    """What is read for these options."""
    loader = DataLoader()
    loader.set_vault_secrets(SECRETS)
    return zone_files(options, lambda name: name, loader, **more)


def test_zones_of_a_folder_share_what_is_below_it(folder):
    (folder / "example.net.zone").mkdir()
    part = "$INCLUDE ../shared/mail.inc\n"
    (folder / "example.net.zone" / "mail.zone").write_text(part, "utf-8")
    files = found({"src": "zones"}, of_account=True)
    assert files["zones/example.com.zone"] == READ
    assert files["zones/example.net.zone"] == {
        "parts": {"mail.zone": part},
        "included": {"../shared/mail.inc": {"text": MAIL}},
    }
    assert sorted(files) == ["zones", "zones/example.com.zone", "zones/example.net.zone"]


@pytest.mark.usefixtures("folder")
def test_a_file_by_itself_includes_what_is_below_its_folder():
    assert found({"src": "zones/example.com.zone"}) == {"zones/example.com.zone": READ}


def test_a_link_chooses_nothing_outside_the_folder(folder):
    (folder.parent / "outside").write_text("password the-secret", "utf-8")
    (folder / "example.org.zone").symlink_to("../outside")
    (folder / "shared" / "mail.inc").unlink()
    (folder / "shared" / "mail.inc").symlink_to("../../outside")
    files = found({"src": "zones"}, of_account=True)
    assert files["zones/example.org.zone"] == {
        "reason": "it is a link out of the folder, or to a hidden file"
    }
    assert files["zones/example.com.zone"]["included"] == {
        "shared/mail.inc": {"reason": "it is outside the folder zones, or hidden"}
    }
    assert "the-secret" not in str(files)


def test_a_link_chooses_no_hidden_file(folder):
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("token = the-secret", "utf-8")
    (folder / "example.org.zone").symlink_to(".git/config")
    (folder / "example.net.zone").mkdir()
    (folder / "example.net.zone" / "mail.zone").write_text(MAIL, "utf-8")
    (folder / "example.net.zone" / ".secret").write_text("the-secret", "utf-8")
    (folder / "example.net.zone" / "more.zone").symlink_to(".secret")
    (folder / "shared" / "mail.inc").unlink()
    (folder / "shared" / "mail.inc").symlink_to("../.git/config")
    files = found({"src": "zones"}, of_account=True)
    assert "link out of the folder, or to a hidden file" in str(files["zones/example.org.zone"])
    assert "link out of the folder, or to a hidden file" in str(files["zones/example.net.zone"])
    assert "or hidden" in str(files["zones/example.com.zone"]["included"])
    assert "the-secret" not in str(files)


def test_links_of_a_mounted_volume_are_followed(folder):
    (folder / "..2026_01_01").mkdir()
    (folder / "..data").symlink_to("..2026_01_01")
    (folder / "..data" / "example.org.zone").write_text(MAIL, "utf-8")
    (folder / "example.org.zone").symlink_to("..data/example.org.zone")
    files = found({"src": "zones"}, of_account=True)
    assert files["zones/example.org.zone"] == {"text": MAIL}
