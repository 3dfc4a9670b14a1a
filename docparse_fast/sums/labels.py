"""Words by which a row says that it is a total, by language. The only home of such words in `sums/`."""

from __future__ import annotations

import re
from collections.abc import Sequence

TOTALS = {
    "en": "total subtotal sum balance",
    "de": "summe zwischensumme gesamt gesamtsumme gesamtbetrag",
    "fr": "total totaux somme",
    "es": "total suma",
    "pt": "total soma",
    "it": "totale somma",
    "nl": "totaal subtotaal som",
    "pl": "razem suma ogółem",
    "cs": "celkem součet",
    "sv": "summa totalt",
    "da": "total sum",
    "fi": "yhteensä",
    "ru": "итого всего сумма",
    "el": "σύνολο",
    "tr": "toplam",
    "zh": "合计 总计 小计 共计",
    "ja": "合計 小計 総計",
    "ko": "합계 소계 총계",
    "ar": "المجموع الإجمالي",
    "hi": "कुल योग",
}
_SPACED = sorted({word for words in TOTALS.values() for word in words.split() if not word > "\u3000"})
_UNSPACED = [word for words in TOTALS.values() for word in words.split() if word > "\u3000"]
_WORD = re.compile(rf"(?<![^\W\d_])(?:{'|'.join(_SPACED)})(?![^\W\d_])|{'|'.join(_UNSPACED)}", re.IGNORECASE)


def totals_in(rows: Sequence[Sequence[str]]) -> frozenset[int]:
    """The rows that call themselves a total.

    >>> sorted(totals_in([["Totally new", "3"], ["Grand total", "7"], ["小计", "7"], ["Zwischensumme:", "9"]]))
    [1, 2, 3]
    """
    return frozenset(n for n, row in enumerate(rows) if any(_WORD.search(text) for text in row))
