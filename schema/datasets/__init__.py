"""Datasets of CKAN portals: their resources, their rows, and the portals themselves."""

from strawberry.tools import merge_types

from resolvers.datasets.queries import datasets_by_key
from schema.datasets.prompts import DATASETS_PROMPTS
from schema.datasets.queries import DatasetsQuery
from schema.datasets.queries_contents import ContentsQuery
from schema.datasets.queries_portals import PortalsQuery
from schema.room import Room, text_beside
from sources.datasets import SOURCE

ROOM = Room(
    source=SOURCE,
    query=merge_types("DatasetsRoomQuery", (DatasetsQuery, ContentsQuery, PortalsQuery)),
    nodes={"Dataset": datasets_by_key},
    kinds={"dataset": "Dataset"},
    guide=text_beside(__file__, "guide.md"),
    prompts=DATASETS_PROMPTS,
)
