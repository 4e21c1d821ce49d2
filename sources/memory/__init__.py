"""The memory shelf: databases of entries that are found by meaning."""

from sources.memory.source import MemorySource

SOURCE = MemorySource()
