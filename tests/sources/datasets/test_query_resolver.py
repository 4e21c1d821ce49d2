"""What becomes of a query: the scenarios and problem cases of the specification, each by what it then finds."""

from __future__ import annotations

from functools import cache

import pytest

from sources.datasets.query_resolver import QueryParser, Reached, ResolvedQuery, Verdict, plan_query
from sources.errors import BadInput
from tests.support.fake_ckan.corpus import golden_packages, solr_document
from tests.support.fake_ckan.engine import Engine, Select

AUTO, DEFAULT, TEXT = QueryParser.AUTO, QueryParser.DEFAULT, QueryParser.TEXT
WRAP, HONOURS, NO_WRAPPER, UNKNOWN = Verdict.WRAP, Verdict.HONOURS, Verdict.NO_WRAPPER, Verdict.UNKNOWN


@cache
def engine() -> Engine:
    return Engine([solr_document(raw) for raw in golden_packages()])


def found(query: str) -> str:
    """The datasets that a dismax portal finds, in its order."""
    selected = engine().select(Select(query, def_type="" if ":" in query else "dismax", rows=100))
    return " ".join(document["id"].removeprefix("d") for document in selected.documents)


def resolve(query: str, verdict: Verdict | None = None, parser: QueryParser = AUTO) -> ResolvedQuery:
    plan = plan_query(query, parser)
    assert plan.needs_verdict is (verdict is not None), (
        "a verdict is given where it is needed, and nowhere else"
    )
    return plan.settled(verdict)


@pytest.mark.parametrize(
    ("query", "effective", "ids"),
    [
        ("aria OR Milano", "text:(aria OR Milano)", "01 04 02 03"),
        ("aria OR acqua OR rifiuti", "text:(aria OR acqua OR rifiuti)", "04 02 03 01"),
        ("aria NOT Milano", "text:(aria NOT Milano)", "02"),
        ("aria AND Milano", "text:(aria AND Milano)", "01 04"),
        ("e-bike", r"text:(e\-bike)", "05"),
        ("aria || acqua", "text:(aria OR acqua)", "04 02 03 01"),
        ("aria&&Milano", "text:(aria AND Milano)", "01 04"),
        ('"aria Milano" OR acqua', 'text:("aria Milano" OR acqua)', "03 01"),
        ("(aria OR acqua) AND Milano", "text:((aria OR acqua) AND Milano)", "03 01 04"),
        ("aria OR acqua -rifiuti", "text:(aria OR acqua -rifiuti)", "03 02 01"),
        ("aria OR acqua !rifiuti", "text:(aria OR acqua !rifiuti)", "03 02 01"),
        ("+aria OR +acqua", "text:(+aria OR +acqua)", None),
        (r"bike OR \(acqua\)", r"text:(bike OR \(acqua\))", "03 05 06"),
        ("bike OR acqua)", r"text:(bike OR acqua\))", "03 05 06"),
        ("bike OR [acqua]", r"text:(bike OR \[acqua\])", "03 05 06"),
        ("bike OR acqua/", r"text:(bike OR acqua\/)", "03 05 06"),
        ('bike OR "acqua', r"text:(bike OR \"acqua)", "03 05 06"),
        ("bike OR mobil*", "text:(bike OR mobil*)", "12 05 06"),
        ("bike OR ac*", r"text:(bike OR ac\*)", "05 06"),
        ("bike OR acqua~1^2", r"text:(bike OR acqua\~1\^2)", "05 06"),
        (r"bike OR acqua\-", r"text:(bike OR acqua\-)", "03 05 06"),
        ("bike OR acqua -", "text:(bike OR acqua)", "03 05 06"),
        ("aria AND OR Milano", "text:(aria AND Milano)", "01 04"),
        ("l'acqua OR dell'aria", "text:(acqua OR aria)", "04 02 03 01"),
        ("Qualità dell'aria OR rifiuti", "text:(Qualità aria OR rifiuti)", None),
        ("PM10 OR bike", "text:(PM10 OR bike)", "01 05 06"),
    ],
)  # fmt: skip
def test_wrapped_where_the_portal_ignores_booleans(query: str, effective: str, ids: str | None) -> None:
    resolved = resolve(query, WRAP)
    assert (resolved.effective_query, resolved.parser) == (effective, Reached.TEXT)
    assert resolved.probe_verdict is WRAP
    if ids is not None:
        assert sorted(found(effective).split()) == sorted(ids.split())


@pytest.mark.parametrize(
    ("query", "effective", "ids"),
    [
        ("aria", "aria", "02 01 04"),
        ("bonifica siti contaminati Piemonte", "bonifica siti contaminati Piemonte", "07"),
        ("defibrillatori Comune di Lecce", "defibrillatori Comune di Lecce", "10 09"),
        ("siti contaminati bonifica aree industriali dismesse Puglia amianto",) * 2 + (None,),
        ("aria or Milano", "aria or Milano", "01 04"),
        ("SIC PAI", "SIC PAI", ""),
        ("人口", "人口", "15"),
        ("हिन्दी भाषा", "हिन्दी भाषा", ""),
        ("น้ำท่วม", "น้ำท่วม", ""),
        ("mobilite\u0301", "mobilité", "12"),
        ('"aria Milano"', '"aria Milano"', "01"),
        ("aria (Milano)", "aria (Milano)", "01 04"),
        # Signs are for dismax itself to read.
        ("aria -Milano", "aria -Milano", "02"),
        ("+aria +Torino", "+aria +Torino", "02"),
        ("-Milano", "-Milano", None),
        ("aria !Milano", "aria -Milano", "02"),
        # What means nothing is left out, since dismax counts it or takes it for a sign.
        ("aria - Milano", "aria Milano", "01 04"),
        ("aria & Milano", "aria Milano", "01 04"),
        ("aria -", "aria", "02 01 04"),
        ("aria OR", "aria", "02 01 04"),
        ("OR aria", "aria", "02 01 04"),
        # Words that dismax would take apart, and any piece of which would do.
        ("PM10", '"PM10"', "01"),
        ("aria -PM10", 'aria -"PM10"', "02 04"),
        ("l'aria", "aria", "02 01 04"),
        ("Dell’aria", "aria", "02 01 04"),
        ("D'OR", "D'OR", None),
    ],
)  # fmt: skip
def test_plain_words_go_to_the_portals_parser_without_a_probe(
    query: str, effective: str, ids: str | None
) -> None:
    if query == "D'OR":
        assert plan_query(query).settled(HONOURS).effective_query == '"D\'OR"'
        return
    resolved = resolve(query)
    assert (resolved.effective_query, resolved.parser) == (effective, Reached.DEFAULT)
    assert resolved.probe_verdict is None
    if ids is not None:
        assert found(effective) == ids


@pytest.mark.parametrize("verdict", [HONOURS, NO_WRAPPER, UNKNOWN])
@pytest.mark.parametrize(
    ("query", "effective"),
    [
        ("aria OR Milano", "aria OR Milano"),
        ("e-bike", '"e-bike"'),
        ("e-bike OR !aria", '"e-bike" OR -aria'),
        ("aria || dell'acqua", "aria OR acqua"),
        ("(aria OR acqua) AND Milano", "(aria OR acqua) AND Milano"),
        ('"aria e-bike', 'aria "e-bike"'),
    ],
)
def test_not_wrapped_on_any_other_verdict(query: str, effective: str, verdict: Verdict) -> None:
    resolved = resolve(query, verdict)
    assert (resolved.effective_query, resolved.parser) == (effective, Reached.DEFAULT)
    assert resolved.probe_verdict is verdict


def test_quoting_a_word_with_inner_punctuation_keeps_its_pieces_together() -> None:
    assert found("e-bike") == "05 06 04 01"
    assert found(resolve("e-bike", UNKNOWN).effective_query) == "05"


@pytest.mark.parametrize("parser", list(QueryParser))
@pytest.mark.parametrize("query", ["", "  ", "*:*", "*", '""', None])
def test_a_question_for_everything_is_never_wrapped(query: str | None, parser: QueryParser) -> None:
    plan = plan_query(query, parser)
    assert not plan.needs_verdict
    assert plan.settled().effective_query == "*:*"


@pytest.mark.parametrize("parser", [AUTO, TEXT])
@pytest.mark.parametrize(
    "query",
    [
        "title:x",
        "title:x OR aria",
        "aria -tags:acqua",
        "extras_regione:Piemonte",
        "res_format:(CSV OR JSON)",
        "metadata_modified:[2024-01-01T00:00:00Z TO *]",
        "text:(aria OR Milano)",
        "(organization:comune-milano)",
        "*:* -tags:aria",
        'holder_name:"Comune di Lecce"',
    ],
)
def test_a_fielded_query_is_never_touched(query: str, parser: QueryParser) -> None:
    resolved = resolve(query, parser=parser)
    assert (resolved.effective_query, resolved.parser) == (query, Reached.LUCENE)


@pytest.mark.parametrize(
    ("query", "effective", "ids"),
    [
        ("Levels Online: variations", r"Levels Online\: variations", "14"),
        ("Sea Levels Online: variations", r"Sea Levels Online\: variations", "14"),
        ('"Levels Online: variations"', '"Levels Online: variations"', "14"),
        (r"Levels Online\: variations", r"Levels Online\: variations", "14"),
        ("tags: aria", r"tags\: aria", ""),
        ("http://x.org/aria", r"http\:\/\/x.org\/aria", ""),
        ("doi:10.1000/182", r"doi\:10.1000\/182", ""),
        ("urn:nbn:it", r"urn\:nbn\:it", ""),
        ("c_f158:f176", r"c_f158\:f176", ""),
        ("regione:Piemonte", r"regione\:Piemonte", "07"),
        ("Online: (variations", r"Online\: \(variations", "14"),
        ('a "title:x" b:', r'a "title:x" b\:', None),
    ],
)
def test_a_colon_in_text_is_text(query: str, effective: str, ids: str | None) -> None:
    resolved = resolve(query)
    assert (resolved.effective_query, resolved.parser) == (effective, Reached.LUCENE)
    if ids is not None:
        assert found(effective) == ids


def test_a_colon_that_may_have_meant_a_field_is_told() -> None:
    assert "`regione:Piemonte` is read as text" in resolve("regione:Piemonte").warnings[0]
    assert resolve('"Levels Online: variations"').warnings == ()


@pytest.mark.parametrize(
    ("query", "effective"),
    [
        ("aria Milano", "text:(aria Milano)"),
        ("aria OR Milano", "text:(aria OR Milano)"),
        ("e-bike", r"text:(e\-bike)"),
        ("Online: variations", r"text:(Online\: variations)"),
        ("aria -Milano", "text:(aria -Milano)"),
        ("aria !Milano", "text:(aria !Milano)"),
    ],
)
def test_the_text_parser_wraps_without_a_probe(query: str, effective: str) -> None:
    resolved = resolve(query, parser=TEXT)
    assert (resolved.effective_query, resolved.parser) == (effective, Reached.TEXT)


@pytest.mark.parametrize(
    "query", ["aria OR Milano", "e-bike", "Online: variations", "OR", 'a "', "aria !Milano"]
)
def test_the_default_parser_is_sent_the_query_as_it_is(query: str) -> None:
    assert resolve(query, parser=DEFAULT).effective_query == query


@pytest.mark.parametrize("parser", [AUTO, TEXT])
@pytest.mark.parametrize("query", ["OR", "AND OR", "NOT", "- +", "()", "( OR )", "&&", '"', ":", '"--"', "?"])
def test_a_query_without_a_word_is_refused(query: str, parser: QueryParser) -> None:
    with pytest.raises(BadInput, match=r"`q` holds no word to search for\."):
        plan_query(query, parser)


@pytest.mark.parametrize("parser", list(QueryParser))
def test_local_parameters_are_refused(parser: QueryParser) -> None:
    with pytest.raises(BadInput, match="local parameters"):
        plan_query(" {!xmlparser}x", parser)


@pytest.mark.parametrize(
    ("query", "verdict", "words"),
    [
        ("aria AND acqua OR rifiuti", WRAP, "OR is mixed"),
        ("Qualità dell'aria OR rifiuti", WRAP, "OR is mixed"),
        ("foo OR (-aria)", WRAP, "only excludes"),
        ("bike OR mobil*", WRAP, "any ending"),
        ("bike OR acqua~", WRAP, "read as text"),
        ("aria !Milano", None, "sent as `-`"),
        ("mobil*", None, "wildcards"),
        ("aria OR Milano", UNKNOWN, "may read OR as AND"),
        ("aria OR Milano", NO_WRAPPER, "reads OR as AND"),
    ],
)
def test_what_may_surprise_is_told(query: str, verdict: Verdict | None, words: str) -> None:
    assert any(words in warning for warning in resolve(query, verdict).warnings)


@pytest.mark.parametrize(
    "query", ["aria OR Milano", "(aria OR acqua) AND Milano", "aria AND Milano", "aria OR acqua -rifiuti"]
)
def test_what_is_read_as_meant_has_no_warning(query: str) -> None:
    assert resolve(query, WRAP).warnings == ()


def test_a_nest_of_parentheses_is_read_however_deep() -> None:
    deep = "(" * 5_000 + "aria OR Milano" + ")" * 5_000
    effective = resolve(deep, WRAP).effective_query
    assert effective.startswith(r"text:(\(\(")
    assert "aria OR Milano" in effective


@pytest.mark.parametrize("piece", ["(", '"', "a-", "\\", "a OR ", "!", "l'", "a:", "a*", "a b:"])
def test_a_query_of_any_length_is_read(piece: str) -> None:
    """An expression that looks ahead at every place would take minutes for some of these."""
    try:
        resolved = plan_query("x " + piece * 40_000).settled(WRAP)
    except BadInput:
        return
    assert resolved.effective_query
