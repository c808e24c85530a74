"""What is needed to try the ways to a relay: a bare UDP client, a STUN request, a certificate for localhost."""

import asyncio
import contextlib
import datetime
import ipaddress

from aioice import stun
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


class Asker(asyncio.DatagramProtocol):
    """A bare UDP client."""

    def __init__(self) -> None:
        self.got: asyncio.Queue[bytes] = asyncio.Queue()

    def datagram_received(self, data, addr):
        self.got.put_nowait(data)


async def ask(port: int, *packets: bytes, host: str = "127.0.0.1") -> tuple[list[bytes], tuple]:
    """Send packets from one port; what came back within a moment, and that port."""
    transport, asker = await asyncio.get_running_loop().create_datagram_endpoint(Asker, remote_addr=(host, port))
    for packet in packets:
        transport.sendto(packet)
    answers = []
    with contextlib.suppress(TimeoutError):
        while len(answers) < len(packets):
            answers.append(await asyncio.wait_for(asker.got.get(), 0.5))
    own = transport.get_extra_info("sockname")
    transport.close()
    return answers, own


def binding() -> bytes:
    return bytes(stun.Message(stun.Method.BINDING, stun.Class.REQUEST))


def certificate(folder):
    """A certificate for localhost, made for this run."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
    made = made.not_valid_after(now + datetime.timedelta(days=1)).add_extension(names, critical=False)
    cert, secret = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return cert, secret
