"""Reading the text and the metadata of document files, in a process of its own that may fail."""
