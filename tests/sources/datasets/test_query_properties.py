"""What holds for every query, however it was typed."""

from __future__ import annotations

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from sources.datasets.query_resolver import QueryParser, Reached, Verdict, is_fielded, plan_query
from sources.errors import BadInput
from tests.support.fake_ckan.query_tree import parse

pieces = st.sampled_from(
    ["aria", "acqua", "Milano", "AND", "OR", "NOT", "&&", "||", "+", "-", "!", "(", ")", '"', "\\", ":", "*", "?", "~",
     "^", "[", "]", "{", "}", "/", "'", "’", "e-bike", "l'aria", "dell’aria", "PM10", "mobil*", "or", " ", "  ", "\t",
     "人口", "mobilità", "mobilita\u0300", "~2", "^4", "title:", "x:", "http://x.org/aria", "\\(", "\\:", ",", "_",
     "🚲", "\u3000", "TO", "filter("]
)  # fmt: skip
typed = st.one_of(
    st.lists(pieces, max_size=12).map("".join),
    st.lists(pieces, max_size=12).map(" ".join),
    st.text(alphabet=string.printable + "àé’“”人\u00a0\u2028", max_size=40),
    st.text(max_size=20),
)
parsers = st.sampled_from(list(QueryParser))
verdicts = st.sampled_from([None, *Verdict])
many = settings(max_examples=250, deadline=None)


@many
@given(text=typed)
def test_a_wrapped_query_always_parses(text: str) -> None:
    try:
        resolved = plan_query(text, QueryParser.TEXT).settled()
    except BadInput:
        return
    if resolved.parser is Reached.TEXT:
        assert resolved.effective_query.startswith("text:(")
        parse(resolved.effective_query, conjunction_is_and=True)


@many
@given(text=typed)
def test_a_query_that_a_colon_leads_to_the_standard_parser_parses(text: str) -> None:
    try:
        resolved = plan_query(text).settled(Verdict.WRAP)
    except BadInput:
        return
    if resolved.parser is not Reached.DEFAULT and not is_fielded(text.strip()):
        parse(resolved.effective_query, conjunction_is_and=True)


@many
@given(text=typed, parser=parsers, verdict=verdicts)
def test_resolving_twice_changes_nothing(text: str, parser: QueryParser, verdict: Verdict | None) -> None:
    try:
        once = plan_query(text, parser).settled(verdict)
    except BadInput:
        return
    assert plan_query(once.effective_query, parser).settled(verdict).effective_query == once.effective_query


@many
@given(text=typed, verdict=verdicts)
def test_the_default_parser_is_sent_no_colon_and_the_others_are(text: str, verdict: Verdict | None) -> None:
    try:
        resolved = plan_query(text).settled(verdict)
    except BadInput:
        return
    assert (":" in resolved.effective_query) is (resolved.parser is not Reached.DEFAULT)


@many
@given(
    words=st.lists(st.sampled_from(["aria", "Milano", "or", "di", "qualità", "siti"]), min_size=1, max_size=8)
)
def test_plain_words_are_sent_as_they_are_and_ask_for_no_probe(words: list[str]) -> None:
    plan = plan_query(" ".join(words))
    assert not plan.needs_verdict
    assert plan.settled().effective_query == " ".join(words)
