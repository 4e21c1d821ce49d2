"""Sentences that several arguments of the room say alike."""

SERVER_URL = "The portal's URL, or its name from `portals`."
LANGUAGE = "Of the texts, such as `fr`, where there are several."
PARSER = "Leave it at `AUTO` unless the query was misread."
Q = "Words, phrases, `AND` `OR` `NOT`, or Solr's `field:value`; all datasets when left out."
FQ = "A filter in Solr's words, such as `organization:(a OR b)`."
