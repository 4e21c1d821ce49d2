"""The library shelf: documents, categories and concepts, with the records and the tables that hold them."""

from sources.library.source import LibrarySource

SOURCE = LibrarySource()
