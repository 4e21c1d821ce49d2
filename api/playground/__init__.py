"""The page that a person sees: questions that can be run, the state of the sources, and how to connect a client."""
