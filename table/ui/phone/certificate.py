"""The table's own certificate, for HTTPS on a local network, where no authority issues certificates.

Its one rule: the key never leaves its folder and only the table's user can read it. Browsers ask once whether to trust
the certificate.
"""

import datetime
import ipaddress
import os
import socket
import ssl
from pathlib import Path

from table.engine.errors import Refused

DAYS = 800  # phones reject certificates that are valid for more than 825 days
CERTIFICATE, KEY = "table.crt", "table.key"


def context(folder: Path, given: tuple[str, str] | None, address: str) -> ssl.SSLContext:
    """A TLS context with the given certificate and key. If none are given, the table uses a certificate of its own, and
    creates it if needed."""
    paths = (Path(given[0]), Path(given[1])) if given else _own(folder, address)
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        made.load_cert_chain(*paths)
    except (OSError, ssl.SSLError) as why:
        told = getattr(why, "strerror", None) or why
        raise Refused(f"The certificate {paths[0]} with the key {paths[1]} cannot be used: {told}.") from None
    return made


def _own(folder: Path, address: str) -> tuple[Path, Path]:
    paths = folder / CERTIFICATE, folder / KEY
    try:
        good = all(path.exists() for path in paths) and _good(paths[0], address)
    except ModuleNotFoundError:
        good = True  # the certificate cannot be checked: assume that it is valid
    if not good:
        try:
            _make(*paths, address)
        except ModuleNotFoundError:
            raise Refused('--tls needs another package. Install it with pip install "dicetable[tls]".') from None
        except OSError as why:
            raise Refused(f"The table's certificate cannot be saved in {folder}: {why.strerror}.") from None
    return paths


def _good(certificate: Path, address: str) -> bool:
    """Whether the certificate is for this address, and valid for at least another week."""
    from cryptography import x509

    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        return False
    soon = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=7)
    return found.not_valid_after_utc > soon and ipaddress.ip_address(address) in names.get_values_for_type(
        x509.IPAddress
    )


def _make(certificate: Path, key: Path, address: str) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    secret = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "dicetable")])
    host = socket.gethostname()
    now = datetime.datetime.now(datetime.UTC)
    names: list[x509.GeneralName] = [x509.DNSName("localhost"), x509.DNSName(host), x509.DNSName(f"{host}.local")]
    names += [x509.IPAddress(ipaddress.ip_address(one)) for one in {address, "127.0.0.1"}]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(secret, hashes.SHA256())
    )
    certificate.parent.mkdir(parents=True, exist_ok=True)
    private = secret.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with open(os.open(key, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(private)
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
