"""The portals that are known, and how a caller's name or URL becomes the one portal that it stands for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from sources.datasets.settings import DatasetsSettings
from sources.errors import BadInput, NotCkan, nearest, shorten
from sources.text_index import fold
from sources.web_address import (
    DEFAULT_PORTS,
    UnusableUrl,
    WebAddress,
    canonical_host,
    read_host_port,
    read_url,
)

API_PATH = "/api/3/action"


@dataclass(frozen=True, slots=True)
class Portal:
    """One CKAN portal.

    - `key`: its name in the registry, or its URL where it is none of those
    - `url`: the site for people; `api_url` and `api_path`: what actions are asked below
    - `aliases`: other hosts of the same portal
    - `dataset_view`, `organization_view`: pages for people, with `{id}` and `{name}`
    - `country` in English, `languages` as two letters, the first being the portal's own
    - `has_datastore`: null where that is not known
    - `prefers_post`: its firewall turns away requests by GET
    """

    key: str
    title: str
    url: str
    api_url: str
    api_path: str = API_PATH
    aliases: tuple[str, ...] = ()
    dataset_view: str = "/dataset/{name}"
    organization_view: str = "/organization/{name}"
    country: str | None = None
    languages: tuple[str, ...] = ()
    has_datastore: bool | None = None
    prefers_post: bool = False
    known: bool = True
    note: str | None = None

    @property
    def api_base(self) -> str:
        """The one address that its actions lie below, however the portal was named."""
        return f"{self.api_url}{self.api_path}"

    @property
    def hosts(self) -> frozenset[str]:
        """Every host that it is known by, without `www.`."""
        named = (_host_of(self.url), _host_of(self.api_url), *self.aliases)
        return frozenset(bare_host(host) for host in named)

    def dataset_url(self, identifier: str, name: str) -> str:
        """The page of a dataset for people."""
        return self.url + _filled(self.dataset_view, identifier, name)

    def organization_url(self, identifier: str, name: str) -> str:
        """The page of an organization for people."""
        return self.url + _filled(self.organization_view, identifier, name)


def _filled(template: str, identifier: str, name: str) -> str:
    return template.format(id=quote(identifier, safe=""), name=quote(name, safe=""))


def _host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


REGISTRY: tuple[Portal, ...] = (
    Portal(
        "dati.gov.it", "dati.gov.it", "https://www.dati.gov.it", "https://www.dati.gov.it/opendata",
        dataset_view="/view-dataset/dataset?id={id}", organization_view="/view-dataset?organization={name}",
        country="Italy", languages=("it",), has_datastore=False,
        note="An aggregator: resources mostly lie on the portals of towns and regions.",
    ),
    Portal(
        "open.canada.ca", "Open Government Canada", "https://open.canada.ca/data/en", "https://open.canada.ca/data",
        country="Canada", languages=("en", "fr"), has_datastore=True,
    ),
    Portal(
        "data.gov.uk", "data.gov.uk", "https://www.data.gov.uk", "https://data.gov.uk", "/api/action",
        aliases=("ckan.publishing.service.gov.uk",), dataset_view="/dataset/{id}/{name}",
        organization_view="/search?filters%5Bpublisher%5D={name}", country="United Kingdom", languages=("en",),
        has_datastore=False, note="Only a few actions are open to the public.",
    ),
    Portal(
        "data.gov.au", "data.gov.au", "https://data.gov.au/data", "https://data.gov.au/data", country="Australia",
        languages=("en",), has_datastore=True,
    ),
    Portal(
        "opendata.swiss", "opendata.swiss", "https://opendata.swiss", "https://ckan.opendata.swiss",
        dataset_view="/de/dataset/{name}", organization_view="/de/organization/{name}", country="Switzerland",
        languages=("de", "fr", "it", "en"), has_datastore=False, note="Texts come in four languages.",
    ),
    Portal(
        "govdata.de", "GovData", "https://www.govdata.de", "https://ckan.govdata.de",
        dataset_view="/suche/daten/{name}", organization_view="/suche?publisher={name}", country="Germany",
        languages=("de",), has_datastore=False,
    ),
    Portal(
        "anac", "ANAC", "https://dati.anticorruzione.it/opendata", "https://dati.anticorruzione.it/opendata",
        country="Italy", languages=("it",), prefers_post=True, note="Its firewall turns away GET.",
    ),
    Portal(
        "bdap", "BDAP, Ragioneria Generale dello Stato", "https://bdap-opendata.rgs.mef.gov.it",
        "https://bdap-opendata.rgs.mef.gov.it/SpodCkanApi", country="Italy", languages=("it",),
    ),
    Portal(
        "geospatial.jp", "G-Spatial Information Center", "https://www.geospatial.jp/ckan",
        "https://www.geospatial.jp/ckan", country="Japan", languages=("ja",),
    ),
    Portal(
        "aragon", "Aragón Open Data", "https://opendata.aragon.es", "https://opendata.aragon.es/ckan",
        dataset_view="/datos/catalogo/dataset/{name}", country="Spain", languages=("es",),
    ),
    Portal(
        "roma", "Comune di Roma", "https://dati.comune.roma.it/catalog", "https://dati.comune.roma.it/catalog",
        country="Italy", languages=("it",), has_datastore=True,
    ),
    Portal(
        "indicepa", "Indice delle Pubbliche Amministrazioni", "https://indicepa.gov.it/ipa-dati",
        "https://indicepa.gov.it/ipa-dati", country="Italy", languages=("it",), has_datastore=True,
    ),
    Portal(
        "milano", "Comune di Milano", "https://dati.comune.milano.it", "https://dati.comune.milano.it",
        country="Italy", languages=("it",), has_datastore=True,
    ),
    Portal(
        "toscana", "Open Toscana", "https://dati.toscana.it", "https://dati.toscana.it", country="Italy",
        languages=("it",),
    ),
    Portal(
        "navarra", "Gobierno de Navarra", "https://datosabiertos.navarra.es", "https://datosabiertos.navarra.es",
        country="Spain", languages=("es",),
    ),
    Portal(
        "zurich", "Stadt Zürich", "https://data.stadt-zuerich.ch", "https://data.stadt-zuerich.ch",
        aliases=("ckan-prod.zurich.datopian.com",), country="Switzerland", languages=("de",), has_datastore=True,
    ),
    Portal(
        "toronto", "City of Toronto", "https://open.toronto.ca",
        "https://ckan0.cf.opendata.inter.prod-toronto.ca", country="Canada", languages=("en",),
        has_datastore=True, note="DataStore rows can be asked for, but not by SQL.",
    ),
    Portal(
        "sicilia", "Regione Siciliana", "https://dati.regione.sicilia.it", "https://dati.regione.sicilia.it",
        country="Italy", languages=("it",), note="CKAN 2.6: it has no field for all text.",
    ),
    Portal(
        "data.gov.ua", "Open data of Ukraine", "https://data.gov.ua", "https://data.gov.ua", country="Ukraine",
        languages=("uk",), note="It has no field for all text.",
    ),
)  # fmt: skip

NOT_CKAN: Mapping[str, str] = {
    "catalog.data.gov": "catalog.data.gov left CKAN, and what followed it needs a key.",
    "data.gov": "data.gov left CKAN, and what followed it needs a key.",
    "data.europa.eu": "data.europa.eu has a search API of its own.",
    "data.gouv.fr": "data.gouv.fr runs udata.",
    "datos.gob.es": "datos.gob.es is asked by SPARQL.",
    "dati.lombardia.it": "dati.lombardia.it runs Socrata.",
    "data.opentransportdata.swiss": "opentransportdata.swiss needs a key.",
}
"""Portals that people ask for and that are no open CKAN, with what they are."""

_PAGES = re.compile(r"/(?:api|dataset|organization|group|view-dataset|datastore|showcase|harvest)(?:/.*)?$")
_LOCALE = re.compile(r"/[a-z]{2}(?:_[A-Z]{2})?$")


class Portals:
    """The portals that this server may ask."""

    def __init__(self, settings: DatasetsSettings, registry: Iterable[Portal] = REGISTRY) -> None:
        self.registry = tuple(registry)
        self._by_host = {host: portal for portal in self.registry for host in portal.hosts}
        self._only = tuple(item.lower() for item in settings.portals)
        try:
            self._private = frozenset(read_host_port(text) for text in settings.allowed_hosts)
        except UnusableUrl:
            self._private = frozenset()  # The HTTP client says what is wrong with it.

    def find(self, text: str, *, argument: str = "serverUrl") -> Portal:
        """The portal of a name (`toronto`), a host or a URL in any of its spellings.

        Raises `BadInput` on `argument` for what is neither or may not be asked, and `NotCkan` for a portal that is
        known to be none.
        """
        text = text.strip()
        named = self._named(text)
        if named is not None:
            return self._checked(named, _host_of(named.api_url), argument)
        if "." not in text and ":" not in text:
            names = [portal.key for portal in self.registry]
            raise BadInput(
                f"does not know the portal `{shorten(text)}`. Give its URL.",
                argument=argument,
                suggestions=nearest(text, names),
            )
        try:
            address = read_url(text if "://" in text else f"https://{text}")
        except UnusableUrl as error:
            raise BadInput(str(error), argument=argument) from None
        return self.of_address(address, argument=argument)

    def of_address(self, address: WebAddress, *, argument: str = "serverUrl") -> Portal:
        """The portal at an address. Raises as `find`."""
        host = bare_host(address.host)
        private = (address.host, address.port) in self._private
        if not private and host in NOT_CKAN:
            raise NotCkan(f"{NOT_CKAN[host]} It cannot be asked as a CKAN portal.", upstream=host)
        known = None if private else self._by_host.get(host)
        if known is not None:
            return self._checked(known, host, argument)
        site = address.site
        scheme = address.scheme
        if not private and scheme == "http" and address.port == DEFAULT_PORTS["http"]:
            scheme = "https"  # Without encryption anybody on the way could answer.
        elif not private and scheme == "http":
            raise BadInput("must be an https URL.", argument=argument)
        path = _PAGES.sub("", address.target.partition("?")[0].rstrip("/") or "")
        url = f"{scheme}://{site}{_LOCALE.sub('', path)}"
        portal = Portal(url, site, url, url, known=False)
        return portal if private else self._checked(portal, host, argument)

    def same(self, one: str, other: str) -> bool:
        """Whether two hosts are of one portal: equal but for `www.`, or aliases."""
        one, other = bare_host(one), bare_host(other)
        return one == other or (one in self._by_host and self._by_host[one] is self._by_host.get(other))

    def lets(self, host: str, port: int) -> bool:
        """Whether the operator let this very host and port through."""
        return (host, port) in self._private

    def may_ask(self, host: str) -> bool:
        """Whether the list of the only portals, where there is one, holds the host."""
        bare = bare_host(host)
        return not self._only or any(
            bare == bare_host(item) or (item.startswith("*.") and bare.endswith(item[1:]))
            for item in self._only
        )

    def _checked(self, portal: Portal, host: str, argument: str) -> Portal:
        if not (self.may_ask(host) or portal.key in self._only):
            raise BadInput(
                f"names `{shorten(host)}`, which this server does not ask.",
                argument=argument,
                allowed=self._only,
            )
        return portal

    def _named(self, text: str) -> Portal | None:
        folded = fold(text)
        for portal in self.registry:
            if folded in (fold(portal.key), fold(portal.title)):
                return portal
        return None


def bare_host(host: str) -> str:
    """A host in lower case without `www.`; as it is where it cannot be one."""
    try:
        host = canonical_host(host)
    except UnusableUrl:
        host = host.lower()
    return host.removeprefix("www.")
