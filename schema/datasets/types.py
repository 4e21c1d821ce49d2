"""Datasets and what they hold."""

from datetime import datetime

import strawberry

from schema.datasets import parts
from schema.datasets.vocabularies import SourceCheckState
from schema.directives import Summary
from schema.fields import derived, plain
from schema.node import Node, id_field
from schema.provenance import RecordSource


@strawberry.type(description="An organization or group, as a dataset names it.")
class DatasetBody:
    name: str = plain("The name, as filters take it.")
    title: str = plain("The title for people.")


@strawberry.type(description="A further field of a dataset, in its portal's own words.")
class DatasetExtra:
    key: str = plain("What the field is called.")
    value: str = plain("What it holds, as text.")


@strawberry.type(
    description="What was found at the portal that a resource comes from, which another portal only lists."
)
class SourceCheck:
    state: SourceCheckState = plain("What asking brought.")
    portal_url: str | None = plain("That portal; null unless it has the rows.")
    resource_id: str | None = plain("The resource's id there; null where its URL names none.")
    note: str | None = plain("Why it was not asked, or what stood in the way.")


@strawberry.type(
    description="One file or service of a dataset.",
    directives=[
        Summary(
            fields=[
                "name",
                "resourceId",
                "format",
                "size",
                "datastoreActive",
                "url",
                "sourceDatastoreActive",
                "sourcePortalUrl",
                "sourceResourceId",
                "sourceNote",
                "sourceCheck.state",
            ]
        )
    ],
)
class DatasetResource:
    name: str = plain("The name; `Unnamed Resource` where it has none.", column="resource.name")
    resource_id: str = plain(
        "Its id at the portal, as `datastoreRecords` takes it.", column="resource.resource_id"
    )
    format: str = plain("The format as written; `Unknown` where it is not.", column="resource.format")
    url: str | None = plain(
        "Where it can be had: the first of download URL, access URL and URL.", column="resource.url"
    )
    description: str | None = plain("What it is, in the portal's words.", column="resource.description")
    size: str | None = plain(
        "The size for people, such as `1.5 MB`; null where it cannot be read.", column="resource.size"
    )
    size_bytes: float | None = plain("The size in bytes.", column="resource.size_bytes")
    size_text: str | None = plain("The size as the portal writes it.", column="resource.size_text")
    mimetype: str | None = plain("The media type.", column="resource.mimetype")
    datastore_active: bool | None = plain(
        "Whether its rows can be asked for here; null where the portal does not say.",
        column="resource.datastore_active",
    )
    position: int | None = plain("The place in its dataset, from 0.", column="resource.position")
    state: str | None = plain("Its state, such as `active`.", column="resource.state")
    hash: str | None = plain("The checksum that the portal has of it.", column="resource.hash")
    created: datetime | None = plain("When it was added.", column="resource.created")
    last_modified: datetime | None = plain("When its data changed.", column="resource.last_modified")
    metadata_modified: datetime | None = plain(
        "When its description changed.", column="resource.metadata_modified"
    )
    source_check: SourceCheck | None = plain(
        "What the portal that it comes from says; null where it lies here, or where that was not to be asked. Only "
        "`datasetResources` asks.",
        column="check",
    )
    source_datastore_active: bool | None = plain(
        "Whether its rows can be asked for at the portal that it comes from; null where nobody was asked."
    )
    source_portal_url: str | None = plain("The portal that has the rows; null where none is known to.")
    source_resource_id: str | None = derived(
        parts.source_resource_id, "check", description="Its id at the portal that has the rows."
    )
    source_note: str | None = plain("Why that cannot be told, or what stood in the way.")


@strawberry.type(
    description="A dataset of a CKAN portal: a description, and the resources that hold the data.",
    directives=[
        Summary(
            fields=[
                "name",
                "datasetId",
                "title",
                "excerpt",
                "organization",
                "tags",
                "numResources",
                "hasDatastore",
                "metadataModified",
                "viewUrl",
            ],
            alone=[
                "id",
                "name",
                "datasetId",
                "title",
                "notes",
                "url",
                "viewUrl",
                "organization",
                "holderName",
                "publisherName",
                "author",
                "maintainer",
                "groups",
                "tags",
                "licenceId",
                "licenceTitle",
                "licenceUrl",
                "issued",
                "modified",
                "metadataCreated",
                "metadataModified",
                "version",
                "state",
                "extras",
                "resources",
            ],
        )
    ],
)
class Dataset(Node):
    id: strawberry.ID = id_field("Dataset")
    portal: str = plain(
        "The portal that it is from, as `serverUrl` takes it: a name of `portals`, or a URL.",
        column="portal_key",
    )
    dataset_id: str = plain("The id at its portal.")
    name: str = plain("The name at its portal, which stands in URLs.")
    title: str = plain("The title for people; the name where it has none.")
    excerpt: str | None = derived(
        parts.excerpt, "notes", description="The first 200 characters of `notes`, in one line."
    )
    notes: str | None = plain("The description, often in Markdown.")
    view_url: str = plain("Its page for people.")
    url: str | None = plain("A page about it outside the portal.")
    version: str | None = plain("Its version, as written.")
    type: str | None = plain("Its type, mostly `dataset`.")
    state: str | None = plain("Its state, such as `active` or `draft`.")
    private: bool | None = plain("Whether the portal keeps it from the public.")
    is_open: bool | None = plain("Whether the portal counts its licence as open.")
    licence_id: str | None = plain("The id of its licence, as the filter `licence` takes it.")
    licence_title: str | None = plain("The licence for people.")
    licence_url: str | None = plain("The text of the licence.")
    author: str | None = plain("Who made it.")
    maintainer: str | None = plain("Who keeps it.")
    organization: DatasetBody | None = plain("The organization that published it at the portal.")
    groups: list[DatasetBody] = plain("The groups that it is in.")
    tags: list[str] = plain("Its tags.")
    extras: list[DatasetExtra] = plain("Its further fields.")
    resources: list[DatasetResource] = derived(
        parts.unchecked, "resources", description="Its files and services, in the portal's order."
    )
    num_resources: int = plain("How many resources it has.")
    has_datastore: bool | None = plain(
        "Whether rows of one of its resources can be asked for; null where the portal does not say."
    )
    metadata_created: datetime | None = plain("When the portal took it up.")
    metadata_modified: datetime | None = plain("When its description changed.")
    issued: str | None = plain("When it was issued, as the portal writes it.")
    modified: str | None = plain("When its data changed, as the portal writes it.")
    holder_name: str | None = plain("Who holds the rights.")
    publisher_name: str | None = plain("Who published it, where it was harvested from elsewhere too.")
    language: str | None = plain("The language of its texts, where it has several.")
    source: RecordSource = derived(
        parts.record_source,
        "portal_key",
        "view_url",
        "licence_id",
        "licence_title",
        "holder_name",
        "publisher_name",
        "organization",
        description="The portal, its page there, its licence, and whom to name.",
    )
