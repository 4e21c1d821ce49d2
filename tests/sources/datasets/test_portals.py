"""Names and URLs of portals: one portal, however it is written."""

from __future__ import annotations

from typing import Any

import pytest

from sources.datasets.portals import REGISTRY, Portals
from sources.datasets.settings import DatasetsSettings
from sources.errors import BadInput, NotCkan


def portals(**settings: Any) -> Portals:
    return Portals(DatasetsSettings(_env_file=None, **settings))


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("dati.gov.it", "https://www.dati.gov.it/opendata/api/3/action"),
        ("https://www.dati.gov.it/opendata/", "https://www.dati.gov.it/opendata/api/3/action"),
        ("https://dati.gov.it/opendata", "https://www.dati.gov.it/opendata/api/3/action"),
        ("http://dati.gov.it", "https://www.dati.gov.it/opendata/api/3/action"),
        ("HTTPS://WWW.DATI.GOV.IT/", "https://www.dati.gov.it/opendata/api/3/action"),
        ("https://open.canada.ca/data/en", "https://open.canada.ca/data/api/3/action"),
        ("https://open.canada.ca/data", "https://open.canada.ca/data/api/3/action"),
        ("open.canada.ca", "https://open.canada.ca/data/api/3/action"),
        ("https://www.data.gov.uk", "https://data.gov.uk/api/action"),
        ("https://ckan-prod.zurich.datopian.com", "https://data.stadt-zuerich.ch/api/3/action"),
        ("Zurich", "https://data.stadt-zuerich.ch/api/3/action"),
        ("stadt zürich", "https://data.stadt-zuerich.ch/api/3/action"),
        ("toronto", "https://ckan0.cf.opendata.inter.prod-toronto.ca/api/3/action"),
        ("https://govdata.de", "https://ckan.govdata.de/api/3/action"),
        ("https://data.example.org", "https://data.example.org/api/3/action"),
        ("data.example.org", "https://data.example.org/api/3/action"),
        ("http://data.example.org:80/", "https://data.example.org/api/3/action"),
        ("https://data.example.org/ckan/api/3/action/package_search?q=x", "https://data.example.org/ckan/api/3/action"),
        ("https://data.example.org/ckan/en/dataset/some-name", "https://data.example.org/ckan/api/3/action"),
        ("https://data.example.org:8443/x/", "https://data.example.org:8443/x/api/3/action"),
    ],
)  # fmt: skip
def test_one_portal_in_every_spelling(text: str, base: str) -> None:
    assert portals().find(text).api_base == base


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("torontoo", "Did you mean `toronto`"),
        ("nowhere", "Give its URL"),
        ("ftp://data.example.org", "must be a URL"),
        ("https://user:pw@data.example.org", "user name"),
        ("http://data.example.org:8080", "https"),
        ("https://exa mple.org", "no URL may hold"),
    ],
)
def test_what_names_no_portal(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        portals().find(text)
    assert caught.value.argument == "serverUrl"


@pytest.mark.parametrize(
    "url",
    ["https://catalog.data.gov", "catalog.data.gov/dataset", "https://www.data.gouv.fr", "data.europa.eu"],
)
def test_what_is_known_to_be_no_ckan_is_said_without_asking(url: str) -> None:
    with pytest.raises(NotCkan):
        portals().find(url)


def test_catalog_data_gov_is_said_to_have_left_ckan() -> None:
    with pytest.raises(NotCkan, match="left CKAN"):
        portals().find("https://catalog.data.gov")


def test_a_list_of_the_only_portals() -> None:
    only = portals(portals="dati.gov.it,*.example.org,toronto")
    assert only.find("https://www.dati.gov.it/opendata").key == "dati.gov.it"
    assert only.find("https://data.example.org").api_url == "https://data.example.org"
    assert only.find("toronto").key == "toronto"
    for other in ("https://open.canada.ca/data", "https://example.com", "https://notexample.org"):
        with pytest.raises(BadInput, match="does not ask"):
            only.find(other)


def test_an_allowed_host_is_asked_as_it_is_written() -> None:
    held = portals(allowed_hosts="ckan.intranet.example:5000,127.0.0.1:80")
    assert (
        held.find("http://ckan.intranet.example:5000/x").api_base
        == "http://ckan.intranet.example:5000/x/api/3/action"
    )
    with pytest.raises(BadInput, match="https"):
        held.find("http://ckan.intranet.example:5001/x")


def test_hosts_of_one_portal_are_the_same() -> None:
    held = portals()
    assert held.same("www.example.org", "EXAMPLE.org")
    assert held.same("ckan.opendata.swiss", "opendata.swiss")
    assert not held.same("a.example.org", "b.example.org")


@pytest.mark.parametrize("portal", REGISTRY, ids=lambda portal: portal.key)
def test_every_known_portal_is_found_by_its_name_and_its_addresses(portal: Any) -> None:
    held = portals()
    for text in (portal.key, portal.title, portal.url, portal.api_url, *portal.aliases):
        assert held.find(text) is portal
    assert portal.dataset_url("an id", "näme").startswith("https://")


def test_views_are_those_of_the_portal() -> None:
    held = portals()
    assert (
        held.find("dati.gov.it").dataset_url("i/d", "n")
        == "https://www.dati.gov.it/view-dataset/dataset?id=i%2Fd"
    )
    assert held.find("data.gov.uk").dataset_url("id", "n") == "https://www.data.gov.uk/dataset/id/n"
