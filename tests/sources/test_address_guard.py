"""Only addresses of the public Internet are let through."""

from __future__ import annotations

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.address_guard import AddressGuard, AddressRefused, refusal
from sources.web_address import UnusableUrl, read_url

GUARD = AddressGuard([80, 443], ["ckan.intranet:5000", "127.0.0.1:8080", "[::1]:8080"])


@pytest.mark.parametrize(
    "text",
    [
        "0.0.0.0",
        "0.1.2.3",
        "10.1.2.3",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "127.255.255.254",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::8.8.8.8",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::8.8.8.8",
        "100::1",
        "2001::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "2002:808:808::1",
        "2606:2800::5efe:10.0.0.1",
        "2606:2800::200:5efe:10.0.0.1",
        "3fff::1",
        "4000::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
    ],
)
def test_addresses_that_are_not_public_are_refused(text: str) -> None:
    assert refusal(ip_address(text)) is not None
    with pytest.raises(AddressRefused):
        GUARD.check_addresses("data.example.org", 443, [text])


@pytest.mark.parametrize(
    "text",
    [
        "1.1.1.1",
        "93.184.215.14",
        "100.63.255.255",
        "100.128.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "223.255.255.255",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2001:4860:4860::8888",
        "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
        "2a00:1450:4001::1",
    ],
)
def test_public_addresses_pass(text: str) -> None:
    assert refusal(ip_address(text)) is None
    GUARD.check_addresses("data.example.org", 443, [text])


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_judged_the_same_inside_ipv6(address: object) -> None:
    inside = refusal(ip_address(str(address)))
    assert refusal(ip_address(f"::ffff:{address}")) == inside
    assert refusal(ip_address(f"64:ff9b::{address}")) == inside


@given(st.ip_addresses())
def test_nothing_passes_that_python_knows_to_be_special(address: object) -> None:
    ip = ip_address(str(address))
    if ip.is_private or ip.is_loopback or ip.is_link_local or ip.is_multicast or ip.is_reserved:
        embedded = getattr(ip, "ipv4_mapped", None)
        # Before Python 3.13 all mapped addresses count as private; NAT64's prefix is reserved.
        if embedded is None and not str(ip).startswith("64:ff9b::"):
            assert refusal(ip) is not None


def test_one_private_address_among_public_ones_is_enough() -> None:
    with pytest.raises(AddressRefused):
        GUARD.check_addresses("data.example.org", 443, ["93.184.215.14", "10.0.0.1"])


@pytest.mark.parametrize("addresses", [[], ["not an address"], ["fe80::1%eth0"]])
def test_what_cannot_be_judged_is_refused(addresses: list[str]) -> None:
    with pytest.raises(AddressRefused):
        GUARD.check_addresses("data.example.org", 443, addresses)


@pytest.mark.parametrize(
    "text",
    [
        "http://localhost/",
        "http://LOCALHOST./",
        "http://db.localhost/",
        "http://metadata.google.internal/",
        "http://printer.local/",
        "http://router.home.arpa/",
        "http://intranet/",
        "http://127.0.0.1/",
        "http://[::ffff:7f00:1]/",
        "http://[::]/",
        "https://data.example.org:6379/",
        "https://data.example.org:22/",
        "http://127.0.0.1:8081/",
        "http://ckan.intranet:5001/",
        "http://ckan.intranet/",
    ],
)
def test_urls_that_need_no_look_up_to_be_refused(text: str) -> None:
    with pytest.raises(AddressRefused):
        GUARD.check_url(read_url(text))


@pytest.mark.parametrize(
    "text",
    [
        "https://data.example.org/",
        "http://data.example.org:443/",
        "https://1.1.1.1/",
        "http://[2a00:1450:4001::1]/",
    ],
)
def test_public_urls_pass(text: str) -> None:
    GUARD.check_url(read_url(text))


@pytest.mark.parametrize(
    "text", ["http://ckan.intranet:5000/", "http://127.0.0.1:8080/", "http://[::1]:8080/"]
)
def test_the_operator_lets_through_exactly_what_he_names(text: str) -> None:
    address = read_url(text)
    GUARD.check_url(address)
    GUARD.check_addresses(address.host, address.port, ["10.0.0.1"])


def test_a_private_address_and_none_are_told_alike() -> None:
    messages = set()
    for addresses in (["10.0.0.1"], ["169.254.169.254"], []):
        with pytest.raises(AddressRefused) as caught:
            GUARD.check_addresses("db.example.org", 443, addresses)
        messages.add(caught.value.problem)
    assert messages == {"names `db.example.org`, which has no public address."}


def test_an_allowed_host_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(UnusableUrl):
        AddressGuard([443], ["ckan.intranet"])


def test_guards_with_the_same_rules_say_the_same() -> None:
    assert AddressGuard([443, 80], ["b:1", "a:2"]).rules == AddressGuard([80, 443], ["a:2", "b:1"]).rules
    assert AddressGuard([80]).rules != AddressGuard([80], ["a:2"]).rules
