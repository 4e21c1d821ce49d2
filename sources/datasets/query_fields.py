"""The fields of CKAN's index that a query may name."""

from __future__ import annotations

_NAMES = """
    id index_id site_id name title title_string notes text url urls ckan_url download_url version
    state entity_type dataset_type type author author_email maintainer maintainer_email license
    license_id license_title tags groups organization owner_org capacity permission_labels res_name
    res_description res_format res_url res_type metadata_created metadata_modified indexed_ts
    data_dict validated_data_dict isopen num_resources num_tags depends_on dependency_of
    derives_from has_derivation links_to linked_from child_of parent_of views_total views_recent
    harvest_source_id harvest_source_title identifier issued modified theme themes_aggregate
    frequency language conforms_to spatial spatial_text geographical_name geographical_geonames_url
    holder_name holder_identifier publisher_name publisher_identifier publisher_uri creator_name
    creator_identifier contact_name contact_email temporal_start temporal_end access_rights
    provenance hvd_category applicable_legislation dcat_type alternate_identifier is_version_of
    subject collection jurisdiction keywords audience portal_type metadata_type update_frequency
"""

FIELDS = frozenset(_NAMES.split())
"""Those of CKAN's schema, of its DCAT extension and of wide-spread portals. A colon behind any other word is text."""

PREFIXES = ("extras_", "res_", "vocab_")
"""Whatever begins so is a field as well."""
