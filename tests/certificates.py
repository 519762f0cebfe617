# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""An authority of the tests' own, and certificates that are good, expired, for another host, or signed by nobody."""

import datetime
import ipaddress

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)


class Authority:
    """Makes certificates, as PEM files in a folder; *bundle* is the file of its own."""

    def __init__(self, folder):
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name("authority")
        self.bundle = folder / "authority.pem"
        builder = _builder(self._name, self._name, self._key, DAY)
        made = builder.add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        )
        own = x509.SubjectKeyIdentifier.from_public_key(self._key.public_key())
        usage = x509.KeyUsage(
            *[False] * 5, True, True, False, False
        )  # signs certificates and lists
        made = made.add_extension(own, critical=False).add_extension(usage, critical=True)
        self.bundle.write_bytes(
            made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        )

    def certificate(self, name, *, address="127.0.0.1", ends=DAY, self_signed=False):
        """A certificate for an address, with its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        issuer, issuers_key = (_name(name), key) if self_signed else (self._name, self._key)
        alternative = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(address))])
        # Python 3.13 asks for it.
        of_issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuers_key.public_key())
        made = _builder(_name(name), issuer, key, ends).add_extension(alternative, critical=False)
        made = made.add_extension(of_issuer, critical=False)
        signed = made.sign(issuers_key, hashes.SHA256())
        private = (
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        file = self._folder / f"{name}.pem"
        file.write_bytes(
            signed.public_bytes(serialization.Encoding.PEM) + key.private_bytes(*private)
        )
        return file


def _name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(subject, issuer, key, ends):
    now = datetime.datetime.now(datetime.timezone.utc)
    return (
        x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - 10 * DAY)
        .not_valid_after(now + ends)
    )
