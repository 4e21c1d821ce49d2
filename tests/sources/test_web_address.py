"""A URL is read once and strictly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.web_address import UnusableUrl, follow, read_host_port, read_url


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://Data.Example.ORG", "https://data.example.org/"),
        ("  https://data.example.org/a b".replace(" b", "%20b"), "https://data.example.org/a%20b"),
        ("http://data.example.org:80/x?q=a#part", "http://data.example.org/x?q=a"),
        ("https://data.example.org:8443/", "https://data.example.org:8443/"),
        ("https://data.example.org./", "https://data.example.org/"),
        ("https://dati.città.it/è?q=è", "https://dati.xn--citt-3na.it/%C3%A8?q=%C3%A8"),
        ("https://citta\u0300.it/", "https://xn--citt-3na.it/"),
        ("https://例え。jp/", "https://xn--r8jz45g.jp/"),
        ("https://straße.de/", "https://xn--strae-oqa.de/"),
        ("https://[2606:2800:021F::1]:443/", "https://[2606:2800:21f::1]/"),
        ("https://93.184.215.14/", "https://93.184.215.14/"),
        ("HTTPS://data.example.org?q=1", "https://data.example.org/?q=1"),
        # What looks like a number to nobody is a name.
        ("https://1and1.example/", "https://1and1.example/"),
        ("https://0x7f.example/", "https://0x7f.example/"),
    ],
)
def test_a_url_has_one_form(text: str, expected: str) -> None:
    address = read_url(text)
    assert str(address) == expected
    assert str(address.url()) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "data.example.org",
        "//data.example.org/",
        "ftp://data.example.org/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://",
        "https:///path",
        "https://user@data.example.org/",
        "https://user:secret@data.example.org/",
        "https://data.example.org@127.0.0.1/",
        "https://@127.0.0.1/",
        "https://127.0.0.1\\@data.example.org/",
        "https://data.example.org\\.evil.example/",
        "https://data.example.org /",
        "https://data.example.org/\r\nX-Header: 1",
        "https://data.example.org/\x00",
        "https://data\u200b.example.org/\u202e",
        "https://%31%32%37.0.0.1/",
        "https://data.example.org:0/",
        "https://data.example.org:65536/",
        "https://data.example.org:http/",
        "https://[::1/",
        "https://[::ffff:127.0.0.1%25eth0]/",
        "https://[fe80::1%eth0]/",
        "https://[data.example.org]/",
        "https://data..example.org/",
        "https://" + "a" * 64 + ".example/",
        "https://" + "a." * 127 + "example/",
        "https://data.example.org/" + "x" * 8_000,
        "https://\u2100.example/",
        # IPv4 in every notation but four decimal numbers.
        "http://2130706433/",
        "http://017700000001/",
        "http://0x7f000001/",
        "http://0x7F.0x00.0x00.0x01/",
        "http://0177.0.0.1/",
        "http://127.0.0.01/",
        "http://127.1/",
        "http://127.0.1/",
        "http://127.0.0.256/",
        "http://127.0.0.1.5/",
        "http://0x/",
        "http://1.2.3.0x4/",
        "http://①②⑦.1/",
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(text: str) -> None:
    with pytest.raises(UnusableUrl):
        read_url(text)


@pytest.mark.parametrize("text", ["http://①②⑦.０.０.１/", "http://127。0。0。1/", "http://１２７.0.0.1./"])
def test_an_address_in_other_digits_is_that_address(text: str) -> None:
    assert read_url(text).host == "127.0.0.1"


def test_a_password_is_never_repeated() -> None:
    with pytest.raises(UnusableUrl) as caught:
        read_url("https://user:secret@data.example.org/")
    assert str(caught.value) == "must not hold a user name or password."


@given(st.text(alphabet=st.sampled_from("htps:/@[]\\.%?#019afx-_ ä。\t\n"), max_size=40))
def test_what_is_read_is_what_httpx_would_connect_to(rest: str) -> None:
    try:
        address = read_url(f"http://{rest}")
    except UnusableUrl:
        return
    url = address.url()
    assert (url.raw_host.decode().strip("[]"), url.port or 80) == (address.host, address.port)
    assert read_url(str(address)) == address


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("/other?x=1", "https://data.example.org/other?x=1"),
        ("next", "https://data.example.org/a/next"),
        ("//other.example/", "https://other.example/"),
        ("http://other.example:81/", "http://other.example:81/"),
        ("?page=2", "https://data.example.org/a/b?page=2"),
    ],
)
def test_a_redirect_is_read_from_where_it_was_met(location: str, expected: str) -> None:
    assert str(follow(read_url("https://data.example.org/a/b"), location)) == expected


@pytest.mark.parametrize("location", ["gopher://x/", "http://[::1", "http://u@h/", "http://0x7f.1/"])
def test_a_redirect_to_no_usable_url_is_refused(location: str) -> None:
    with pytest.raises(UnusableUrl):
        follow(read_url("https://data.example.org/"), location)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ckan.intranet:5000", ("ckan.intranet", 5000)),
        (" CKAN:80 ", ("ckan", 80)),
        ("[::1]:8080", ("::1", 8080)),
        ("10.0.0.1:443", ("10.0.0.1", 443)),
    ],
)
def test_host_and_port_of_a_setting(text: str, expected: tuple[str, int]) -> None:
    assert read_host_port(text) == expected


@pytest.mark.parametrize(
    "text", ["", "ckan", "ckan:", ":80", "ckan:x", "u@ckan:80", "ckan:80/path", "::1:80", "ckan:0"]
)
def test_what_is_no_host_and_port_is_refused(text: str) -> None:
    with pytest.raises(UnusableUrl):
        read_host_port(text)
