"""The datasets shelf."""

from sources.datasets.source import DatasetsSource

SOURCE = DatasetsSource()
