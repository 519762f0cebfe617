# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a stand-in DNS service with a certificate of its own making, for as long as the file with its URL exists.

tls_service.py CERTIFICATE-FILE URL-FILE TOKEN
"""

import datetime
import ipaddress
import sys
import time
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "service"))
from running import Service

LONGEST = 300


def certificate():
    """A self-signed certificate for 127.0.0.1 with its key, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([])
    now = datetime.datetime.now(datetime.timezone.utc)
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(names, critical=True)
        .sign(key, hashes.SHA256())
    )
    forms = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return signed.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, *forms
    )


def main(certificate_file, url_file, token):
    """Serve."""
    certificate_file.write_bytes(certificate())
    with Service(
        "--tls-cert", str(certificate_file), zones=["example.com"], token=token
    ) as service:
        # In one step, so that nobody reads half a URL.
        half_done = url_file.with_suffix(".part")
        half_done.write_text(service.url, encoding="utf-8")
        half_done.rename(url_file)
        end = time.monotonic() + LONGEST
        while url_file.exists() and time.monotonic() < end:
            time.sleep(0.1)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
