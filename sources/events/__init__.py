"""The events shelf."""

from sources.events.source import EventsSource

SOURCE = EventsSource()
