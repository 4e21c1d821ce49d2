"""The D&D shelf: rules content of the fifth edition, with the records and the tables that hold them."""

from sources.dnd.source import DndSource

SOURCE = DndSource()
