"""Sentences that several arguments of the room say alike."""

SERVER_URL = "The portal: its URL, its host, or a name from `portals`, such as `toronto`."
LANGUAGE = "Language of the texts, such as `fr`, where a portal has several."
PARSER = "Leave it at `AUTO` unless the answer shows that the query was misread."
Q = "The search text; all datasets when left out. Words, phrases, `AND` `OR` `NOT`, or Solr's `field:value`."
FQ = "A filter in Solr's words, such as `organization:(a OR b)`."
