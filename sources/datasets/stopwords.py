"""Words that say nothing of what a text is about, by language, and which scripts have no blanks.

A language without a list has none: a word of another language's list may be what is looked for (`un` is an
Italian article, and the United Nations).
"""

from __future__ import annotations

import re

_LISTS = {
    "en": "a an and are as at be by for from has have how in into is it its of on or that the their there these this to"
    " was were what when where which who will with about any all can do does not",
    "it": "a ad al allo alla ai agli alle da dal dallo dalla dai dagli dalle di del dello della dei degli delle e ed in"
    " nel nello nella nei negli nelle su sul sullo sulla sui sugli sulle con per tra fra il lo la i gli le un uno una o"
    " od che chi cui come dove quando quale quali si non sono essere anche piu",
    "fr": "a au aux avec ce ces cette dans de des du elle en et est il ils je la le les leur leurs mais ne ou par pas"
    " pour qu que qui sa se ses son sont sur un une vos votre",
    "de": "als am an auf aus bei das dem den der des die durch ein eine einem einen einer eines es für im in ist mit"
    " nach nicht oder sich sind über um und unter vom von vor wie zu zum zur",
    "es": "a al con como de del el ella en entre es la las lo los más no o para pero por que se sin sobre su sus un una"
    " unas unos y",
    "pt": "a ao aos as à às com como da das de do dos e em entre é na nas no nos o os ou para por que se sem sobre um"
    " uma",
    "nl": "aan als bij de den der die dit een en er het in is met naar niet of om op over te tot uit van voor wat zijn",
    "ca": "a al als amb com de del dels el els en entre és i la les o per que se sense sobre un una",
}

WITHOUT_BLANKS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
"""Thai, Lao, Burmese, Khmer, Kana, Han and Hangul: a term of these is looked for inside longer runs."""


def stopwords(language: str | None) -> frozenset[str]:
    """The words of a language (`it`, `en_GB`); none for one that has no list."""
    return _SETS.get((language or "").replace("_", "-").partition("-")[0].lower(), frozenset())


_SETS = {language: frozenset(words.split()) for language, words in _LISTS.items()}
