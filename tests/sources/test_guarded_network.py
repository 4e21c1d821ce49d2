"""The guard on the address connected to: names that lie, redirects, proxies, certificates."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from sources.errors import BadInput, UpstreamBadResponse, UpstreamUnavailable
from sources.guarded_network import NameUnknown, SystemResolver
from sources.http import Fetched, HttpClient
from sources.proxy_tunnel import Proxy
from sources.web_address import UnusableUrl
from tests.support.faulty_server import as_json, faulty_server, redirect
from tests.support.http_world import OTHER_PUBLIC, PUBLIC, http_world

HOST = "data.example.org"


async def ask(client: HttpClient, url: str = f"http://{HOST}/x") -> Fetched:
    return await client.get_json(url, argument="serverUrl")


async def test_a_public_name_is_connected_to_by_its_checked_address() -> None:
    async with (
        faulty_server() as server,
        http_world(names={HOST: [[OTHER_PUBLIC, PUBLIC]]}, routes={PUBLIC: server.port}) as world,
    ):
        server.on("/x", as_json([1]))
        fetched = await ask(world.http.guarded())
        assert (fetched.value, fetched.url) == ([1], f"http://{HOST}/x")
        # The first address has no route; the next of those checked is tried.
        assert world.network.connected == [(OTHER_PUBLIC, 80), (PUBLIC, 80)]
        assert world.names.asked == [HOST]
        assert server.requests[0].headers["host"] == HOST


@pytest.mark.parametrize("host", ["bücher.example", "BÜCHER.EXAMPLE", "xn--bcher-kva.example."])
async def test_a_unicode_host_is_asked_by_its_ascii_name(host: str) -> None:
    ascii_name = "xn--bcher-kva.example"
    async with (
        faulty_server() as server,
        http_world(names={ascii_name: [[PUBLIC]]}, routes={PUBLIC: server.port}) as world,
    ):
        server.on("/x", as_json([1]))
        assert (await ask(world.http.guarded(), f"http://{host}/x")).value == [1]
        assert server.requests[0].headers["host"] == ascii_name


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["10.0.0.1"],
        ["169.254.169.254"],
        [PUBLIC, "127.0.0.1"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["2002:7f00:1::"],
        ["fe80::1%eth0"],
        [],
    ],
)
async def test_a_name_that_leads_inside_is_never_connected_to(addresses: Sequence[str]) -> None:
    async with http_world(names={HOST: [addresses]}) as world:
        with pytest.raises(BadInput) as caught:
            await ask(world.http.guarded())
        assert caught.value.message == f"`serverUrl` names `{HOST}`, which has no public address."
        assert world.network.connected == []


async def test_a_name_without_address_is_told_the_same() -> None:
    async with http_world() as world:
        with pytest.raises(BadInput) as caught:
            await ask(world.http.guarded())
        assert caught.value.message == f"`serverUrl` names `{HOST}`, which has no public address."


async def test_a_name_service_out_of_order_is_not_the_callers_fault() -> None:
    async with http_world() as world:
        world.names.broken = True
        with pytest.raises(UpstreamUnavailable, match=rf"^{HOST} has a name that cannot be looked up\.$"):
            await ask(world.http.guarded())


async def test_one_look_up_serves_check_and_connection() -> None:
    """DNS rebinding: the first answer is public, every later one is not."""
    async with (
        faulty_server() as server,
        http_world(names={HOST: [[PUBLIC], ["127.0.0.1"]]}, routes={PUBLIC: server.port}) as world,
    ):
        server.on("/x", as_json([1], headers={"Content-Type": "application/json", "Connection": "close"}))
        client = world.http.guarded()
        assert (await client.get_json(f"http://{HOST}/x", argument="serverUrl")).value == [1]
        assert world.names.asked == [HOST]
        with pytest.raises(BadInput):
            await client.get_json(f"http://{HOST}/x?again", argument="serverUrl", fresh_seconds=0)
        assert world.network.connected == [(PUBLIC, 80)]


@pytest.mark.parametrize(
    "location",
    [
        "http://10.0.0.1/",
        "http://[::1]/",
        "http://localhost/",
        "http://inside.example/",
        "http://data.example.org:6379/",
        "//169.254.169.254/latest/meta-data/",
    ],
)
async def test_a_redirect_inside_is_not_followed(location: str) -> None:
    names = {HOST: [[PUBLIC]], "inside.example": [["192.168.0.1"]]}
    async with (
        faulty_server() as server,
        http_world(names=names, routes={PUBLIC: server.port}) as world,
    ):
        server.on("/x", redirect(location))
        with pytest.raises(UpstreamBadResponse, match="redirects to an address that is not asked"):
            await ask(world.http.guarded())
        assert world.network.connected == [(PUBLIC, 80)]


async def test_a_redirect_does_not_take_keys_elsewhere() -> None:
    other = "1.1.1.1"
    names = {HOST: [[PUBLIC]], "other.example": [[other]]}
    async with (
        faulty_server() as first,
        faulty_server() as second,
        http_world(names=names, routes={PUBLIC: first.port, other: second.port}) as world,
    ):
        first.on("/x", redirect("http://other.example/y"))
        second.on("/y", as_json([1]))
        fetched = await world.http.guarded().get_json(
            f"http://{HOST}/x",
            headers={"Authorization": "Bearer t", "X-Api-Key": "k", "Accept-Language": "en"},
        )
        assert (fetched.url, fetched.requests) == ("http://other.example/y", 2)
        assert first.requests[0].headers["authorization"] == "Bearer t"
        sent = second.requests[0].headers
        assert ("authorization" in sent, "x-api-key" in sent, sent["accept-language"]) == (False, False, "en")


async def test_the_operators_word_holds_for_exactly_one_host_and_port() -> None:
    async with faulty_server() as server, faulty_server() as other, http_world() as world:
        server.on("/x", as_json([1]))
        server.on("/y", redirect(f"{other.origin}/x"))
        client = world.http.guarded(allowed_hosts=[f"127.0.0.1:{server.port}"])
        assert (await ask(client, f"{server.origin}/x")).value == [1]
        with pytest.raises(BadInput, match="must not name the port"):
            await ask(client, f"{other.origin}/x")
        with pytest.raises(UpstreamBadResponse):
            await ask(client, f"{server.origin}/y")
        with pytest.raises(BadInput):
            await ask(world.http.guarded(), f"{server.origin}/x")
        assert other.requests == []


async def test_a_trusted_client_is_guarded_off_its_base() -> None:
    async with faulty_server() as server, faulty_server() as other, http_world() as world:
        server.on("/x", as_json([1]))
        other.on("/x", as_json([2]))
        client = world.http.trusted("Open5e", server.origin, headers={"X-Key": "k"})
        assert (await client.get_json(f"{server.origin}/x")).value == [1]
        with pytest.raises(UpstreamBadResponse, match="Open5e names an address that is not asked"):
            await client.get_json(f"{other.origin}/x")
        assert other.requests == []


async def test_the_headers_of_a_trusted_client_are_for_its_base_alone() -> None:
    async with (
        faulty_server() as server,
        faulty_server() as other,
        http_world(names={HOST: [[PUBLIC]]}, routes={PUBLIC: other.port}) as world,
    ):
        server.on("/x", as_json([1]))
        other.on("/x", as_json([2]))
        client = world.http.trusted("Open5e", server.origin, headers={"X-Key": "k"})
        assert (await client.get_json("/x")).value == [1]
        assert (await client.get_json(f"http://{HOST}/x")).value == [2]
        assert server.requests[0].headers["x-key"] == "k"
        assert "x-key" not in other.requests[0].headers


async def test_answers_of_a_trusted_client_serve_no_guarded_one() -> None:
    async with faulty_server() as server, http_world() as world:
        server.on("/x", as_json([1]))
        assert (await world.http.trusted("Open5e", server.origin).get_json("/x")).value == [1]
        with pytest.raises(BadInput):
            await ask(world.http.guarded(), f"{server.origin}/x")


async def test_ports_are_a_setting() -> None:
    async with (
        faulty_server() as server,
        http_world(names={HOST: [[PUBLIC]]}, routes={PUBLIC: server.port}, ports="8443,8080") as world,
    ):
        server.on("/x", as_json([1]))
        assert (await ask(world.http.guarded(), f"http://{HOST}:8080/x")).value == [1]
        with pytest.raises(BadInput) as caught:
            await ask(world.http.guarded())
        assert caught.value.message == (
            "`serverUrl` must not name the port 80; only 8080 or 8443 can be asked."
        )


async def test_the_system_resolver() -> None:
    resolver = SystemResolver()
    assert "127.0.0.1" in await resolver("127.0.0.1", 80)
    with pytest.raises(NameUnknown):
        await resolver("nothing.invalid", 80)
    with pytest.raises(NameUnknown):
        await resolver("a" * 70 + ".example", 80)


class TunnelProxy:
    """A proxy that opens a tunnel to a port of loopback, whatever address it is given."""

    def __init__(self, target: int, answer: bytes) -> None:
        self.target = target
        self.answer = answer
        self.heads: list[list[str]] = []
        self.tasks: list[asyncio.Task[Any]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.tasks.append(task)
        writers = [writer]
        try:
            self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n"))
            writer.write(self.answer)
            if b" 200 " in self.answer:
                upstream, to_upstream = await asyncio.open_connection("127.0.0.1", self.target)
                writers.append(to_upstream)
                await asyncio.gather(pump(reader, to_upstream), pump(upstream, writer))
        except (asyncio.CancelledError, ConnectionError):
            pass  # The test is over.
        finally:
            for each in writers:
                each.close()


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
    writer.close()


@asynccontextmanager
async def tunnel_proxy(target: int, answer: bytes) -> AsyncIterator[tuple[TunnelProxy, int]]:
    proxy = TunnelProxy(target, answer)
    listener = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    try:
        yield proxy, listener.sockets[0].getsockname()[1]
    finally:
        listener.close()
        for task in proxy.tasks:
            task.cancel()
        await asyncio.gather(*proxy.tasks, return_exceptions=True)


OPEN = b"HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n"


async def test_a_proxy_is_given_the_address_that_was_checked() -> None:
    async with faulty_server() as server, tunnel_proxy(server.port, OPEN) as (proxy, port):
        server.on("/x", as_json([1]))
        settings: dict[str, Any] = {"proxy": f"http://user:pass%40@127.0.0.1:{port}"}
        async with http_world(names={HOST: [[PUBLIC], ["127.0.0.1"]]}, **settings) as world:
            assert (await ask(world.http.guarded())).value == [1]
            assert proxy.heads == [
                [
                    f"CONNECT {PUBLIC}:80 HTTP/1.1",
                    f"Host: {PUBLIC}:80",
                    "Proxy-Authorization: Basic dXNlcjpwYXNzQA==",
                ]
            ]
            assert "proxy-authorization" not in server.requests[0].headers
            with pytest.raises(BadInput):
                await ask(world.http.guarded(), "http://10.0.0.1/")
        async with http_world(names={HOST: [["10.0.0.1"]]}, **settings) as world:
            with pytest.raises(BadInput):
                await ask(world.http.guarded())
        assert len(proxy.heads) == 1


async def test_the_operators_url_goes_to_the_proxy_by_name_but_for_exceptions() -> None:
    async with faulty_server() as server, tunnel_proxy(server.port, OPEN) as (proxy, port):
        server.on("/x", as_json([1]))
        settings: dict[str, Any] = {
            "proxy": f"http://127.0.0.1:{port}",
            "proxy_except": "near.example, other.example",
        }
        async with http_world(
            names={"near.example": [[PUBLIC]]}, routes={PUBLIC: server.port}, **settings
        ) as world:
            far = world.http.trusted("Far", "http://far.example")
            assert (await far.get_json("/x")).value == [1]
            assert world.names.asked == []
            assert [head[0] for head in proxy.heads] == ["CONNECT far.example:80 HTTP/1.1"]
            assert (await world.http.trusted("Near", "http://near.example").get_json("/x")).value == [1]
            assert (await world.http.trusted("Here", server.origin).get_json("/x")).value == [1]
            assert len(proxy.heads) == 1


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", b"", b"x" * 20_000, b"\r\n\r\n"]
)
async def test_a_proxy_that_refuses(answer: bytes) -> None:
    async with faulty_server() as server, tunnel_proxy(server.port, answer) as (_, port):
        async with http_world(names={HOST: [[PUBLIC]]}, proxy=f"http://127.0.0.1:{port}") as world:
            with pytest.raises(UpstreamUnavailable, match=r"cannot be reached through the proxy|broke off"):
                await ask(world.http.guarded())
        assert server.requests == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://proxy.example:3128", Proxy("proxy.example", 3128)),
        ("http://proxy.example/", Proxy("proxy.example", 80)),
        ("http://[::1]:3128", Proxy("::1", 3128)),
        ("http://a:b@proxy:1", Proxy("proxy", 1, "Basic YTpi")),
    ],
)
def test_the_url_of_a_proxy(text: str, expected: Proxy) -> None:
    assert Proxy.read(text) == expected


@pytest.mark.parametrize(
    "text", ["proxy:3128", "https://proxy:3128", "socks5://proxy:1", "http://", "http://p/x"]
)
def test_what_is_no_proxy(text: str) -> None:
    with pytest.raises(UnusableUrl):
        Proxy.read(text)


def certificates(folder: Path, name: str) -> tuple[ssl.SSLContext, Path]:
    """A server's TLS context with a certificate for `name`, and the file to trust it by."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file, key_file = folder / f"{name}.pem", folder / f"{name}.key"
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(file, key_file)
    return context, file


async def test_the_certificate_is_verified_against_the_name(tmp_path: Path) -> None:
    context, file = certificates(tmp_path, HOST)
    names = {HOST: [[PUBLIC]], "other.example": [[PUBLIC]]}
    async with (
        faulty_server(context) as server,
        http_world(names=names, routes={PUBLIC: server.port}, ca_file=file) as world,
    ):
        server.on("/x", as_json([1]))
        client = world.http.guarded()
        assert (await ask(client, f"https://{HOST}/x")).value == [1]
        with pytest.raises(UpstreamUnavailable) as caught:
            await ask(client, "https://other.example/x")
        assert caught.value.message == "other.example shows a certificate that is not trusted."
        assert len(server.requests) == 1
        assert world.clock.slept == []


async def test_a_certificate_of_nobody_is_not_trusted(tmp_path: Path) -> None:
    context, _ = certificates(tmp_path, HOST)
    async with (
        faulty_server(context) as server,
        http_world(names={HOST: [[PUBLIC]]}, routes={PUBLIC: server.port}) as world,
    ):
        with pytest.raises(UpstreamUnavailable, match="shows a certificate that is not trusted"):
            await ask(world.http.guarded(), f"https://{HOST}/x")
        assert server.requests == []
