"""Words and signs by which drafting knows what a line is: markers, numbers of sections, and words of many languages.

The only home of such words. A table by language holds what a printed book, a letter or an article says there; a
language that is not in it is read by type and place alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

# ------------------------------------------------------------------------------------------- words by language

NAMED = {  # what a caption numbers
    "en": "fig(?:ure)? table chart exhibit plate scheme example listing algorithm",
    "de": "abb(?:ildung)? tab(?:elle)? algorithmus",
    "fr": "tableau algorithme",
    "es": "figura tabla cuadro algoritmo",
    "it": "tabella",
    "pl": "rys(?:unek)? tabela algorytm",
    "nl": "figuur tabel",
    "sv": "figur tabell",
    "cs": "obr(?:ázek)? tabulka",
    "ru": "рис(?:унок)? таблица",
}
BEFORE_NUMBERS = {
    "en": "figs? eqs? eqns? nos? secs? chap vols? pp? refs? thm prop lem alg",
    "de": "abb gl nr kap bd anl",
}
BEFORE_NUMBERS |= {"fr": "tabl éq", "es": "ec núm", "pl": "rys rozdz", "cs": "obr", "ru": "рис табл"}  # shortened
MONTHS = {"en": "jan feb mar apr may jun jul aug sep oct nov dec"}  # their first letters
DAY_OF = {"de": "januar februar märz april mai juni juli august september oktober november dezember"}  # after a dot
CONTENTS = {  # headings of contents, and of lists of figures and tables
    "en": "contents; table of contents; list of figures; list of tables; list of illustrations; list of listings;"
    "list of algorithms; list of examples",
    "de": "inhalt; inhaltsverzeichnis; abbildungsverzeichnis; tabellenverzeichnis; verzeichnis der abbildungen;"
    "verzeichnis der tabellen",
    "fr": "sommaire; table des matières; table des figures; liste des figures; liste des tableaux",
    "es": "índice; contenido; índice de figuras; índice de tablas; índice de cuadros; lista de figuras;lista de tablas",
    "pt": "lista de tabelas",
    "it": "indice; sommario; elenco delle figure; elenco delle tabelle",
    "nl": "inhoud; inhoudsopgave; lijst van figuren; lijst van tabellen",
    "pl": "spis treści; spis rysunków; spis tabel",
    "cs": "obsah",
    "sv": "innehåll",
    "da": "indhold",
    "fi": "sisällys",
    "ru": "содержание; оглавление; список иллюстраций; список таблиц",
    "el": "περιεχόμενα",
    "zh": "目录; 目錄; 图目录; 表目录",
    "ja": "目次; 図目次; 表目次",
    "ko": "차례; 목차",
    "vi": "mục lục",
    "tr": "içindekiler",
}
ABSTRACT = {"en": "abstract", "de": "zusammenfassung kurzfassung", "fr": "résumé", "es": "resumen resumo"} | {
    "it": "sommario riassunto",
    "pl": "streszczenie",
    "nl": "samenvatting",
    "ru": "аннотация",  # what stands below a paper's title and its authors
    "zh": "摘要",
}
PAGE = {"en": "page p", "de": "seite blatt", "es": r"p[áa]g(?:ina)?", "nl": "blz", "pl": "str(?:ona)?"} | {
    "sv": "sida side",
    "fi": "sivu",
    "ru": "стр(?:аница)?",
}
OF = {"en": "of /", "de": "von", "fr": "sur de", "it": "di", "nl": "van", "pl": "z", "sv": "av af", "ru": "из"}
CLOSINGS = {  # of a letter
    "en": r"(?:with )?(?:kind|best|warm)(?:est)? (?:regards|wishes)|yours (?:sincerely|faithfully|truly)|sincerely",
    "de": r"mit \w+e[mn] gr(?:uß|uss|üßen|üssen)|\w+e grü(?:ß|ss)e|hochachtungsvoll",
    "fr": r"cordialement|bien à vous|(?:avec )?(?:nos|mes) meilleures salutations",
    "es": r"(?:un )?(?:cordial saludo|saludo cordial)|saludos(?: cordiales)?|atentamente",
    "pt": r"(?:com os )?(?:melhores|cordiais) cumprimentos|atenciosamente",
    "it": r"(?:cordiali|distinti) saluti",
    "nl": r"(?:met )?(?:hartelijke|vriendelijke) groet(?:en)?|hoogachtend",
    "pl": r"z poważaniem|z wyrazami szacunku",
    "cs": r"s pozdravem|s úctou",
    "sv": r"(?:med )?vänlig(?:a)? hälsning(?:ar)?",
    "da": r"(?:med )?venlig hilsen",
    "fi": r"(?:ystävällisin )?terveisin",
}


def any_of(table: Mapping[str, str]) -> str:
    """A pattern for any word of any language."""
    return "|".join(dict.fromkeys(word for words in table.values() for word in words.split()))


ABSTRACT_BEGINS = re.compile(rf"(?:{any_of(ABSTRACT)})\s?(?:[.:—–-]|$)", re.IGNORECASE)
CONTENTS_NAMES = frozenset(name.strip() for names in CONTENTS.values() for name in names.split(";"))
_MONTH = rf"(?:{any_of(MONTHS)})[a-z]{{0,6}}\.?"
DATE = re.compile(
    rf"\d{{1,2}}(?:st|nd|rd|th)? {_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    r"|\d{1,4}([-/.])\d{1,2}\1\d{1,4}",
    re.IGNORECASE,
)
_COUNTED = rf"(?:{any_of(NAMED)})\.?\s*(?:\d+|[IVX]+)[a-z]?(?:[.\-–]\d+)*[a-z]?"
CAPTION = re.compile(rf"{_COUNTED}\s*[.:|–—]|[图表]\s*\d+", re.IGNORECASE)  # `Table 3:`
NUMBER_ALONE = re.compile(rf"{_COUNTED}[.:]?", re.IGNORECASE)  # `TABLE I`, above its words
_SHOWN = r"(?:fig(?:ure|ura)?|tab(?:le|elle|leau|la)?|abb(?:ildung)?|рис(?:унок)?|таблица)"
NAME_ABOVE = re.compile(rf"{_SHOWN}\.?\s*(?:\d+|[IVX]+)[.:]?(?:\s+(?-i:[A-ZÀ-ÞА-Я])|$)", re.IGNORECASE)  # heads no text
CLOSING = re.compile(rf"(?:{'|'.join(CLOSINGS.values())})[,.!]?", re.IGNORECASE)  # of a letter: a signer follows
NAME_OF_FIGURE = re.compile(rf"{_COUNTED}\s+(?-i:[A-ZÀ-ÞА-Я])", re.IGNORECASE)  # `Figure 3-2 The parts`, not `3 shows`

# ------------------------------------------------------------------------------------------ numbers of sections

SECTION_NUMBER = re.compile(r"(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,5}\.?")  # 2, 2.1, A.3.
SECTION_ENTRY = re.compile(rf"{SECTION_NUMBER.pattern}(?:\s|$)")  # 2.1 Usage, or its number alone
NUMBER_COMES = re.compile(rf"[\s(\[](?:{any_of(BEFORE_NUMBERS)})\.$", re.IGNORECASE)
ABBREVIATED = re.compile(r"\s(?:[A-Z][a-z]{1,3}|(?:[A-Z]\.)+[A-Z])\.$")  # Inc. or Rd. or S.A.
PART_OF_SECTION = re.compile(r"(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){1,5}\.?\s+[^\W\d_]")  # 2.1 Usage
ORDINAL_HEAD = re.compile(r"(?:\d{1,2}|[A-Z]|[IVX]{1,5})\.\s+[^\W\d_]")  # 1. Introduction
NUMBERED_HEAD = re.compile(
    r"^(?:(?i:chapter|section|appendix)\s+|§\s*)?"
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2}){1,4}|[IVX]{1,5}(?=[. ]))"
    r"(?:\.?\s+\S|\.?[A-Z][a-z])"
)
CLAUSE = re.compile(r"(?:\d{1,3}|[A-Z])(?:\.\d{1,3})+\.?(?:\s|$)")  # of a law or a standard; a section's part

# ------------------------------------------------------------------------------------------- markers and notes

BOXES = frozenset("□☐☑☒◻❏❐❑❒")  # to be ticked: they say something, as other bullets don't
STARS = frozenset("✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿❀❁❂❃❄❅❆❇❈❉❊❋➔➛➜➝➞")  # of Zapf's dingbats: TeX's lists have them
PLAIN_BULLETS = BOXES | STARS | frozenset("•‣◦▪■●○◆►➢➤✓✔❖")  # which mean nothing else
BULLET = rf"[{''.join(sorted(BOXES | STARS))}•‣◦▪▫■●○◆◇►▶➢➤✓✔❖∙·–—*-]"
_ORDINAL = r"(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{2,5})"
MARKER = re.compile(
    rf"^(?:(?P<bullet>{BULLET})(?:\s+|(?<=[•‣◦▪■●○])(?=[「『（〈《【]))"
    rf"|(?P<number>\d{{1,3}})(?!\.\s(?i:{any_of(DAY_OF)})\b)[.)]\s+"
    rf"|(?P<other>\(?{_ORDINAL}\)|[a-zA-Z]\.(?!\s?[A-Z]\.)|\[\d{{1,3}}\])\s+"
    r"|(?P<dot>[・･])\s*"  # Chinese needs no blank
    r"|(?P<wide>（\d{1,2}）|[①-⑳]|\d{1,2}、|\(\d{1,2}\)(?=[\u3400-\u9fff]))\s*)(?=\S)"
)
LONGEST_MARKER = 5  # characters
CAPITAL_MARKER = re.compile(r"[A-Z]\.\s")  # of an item only beside its neighbour in the alphabet: else an initial
INDEX = re.compile(r"[¹²³⁰⁴-⁹₀-₉]|</su[bp]>")  # raised or lowered
NOTE_MARK = re.compile(r"[¹²³⁰⁴-⁹]{1,3}|<sup>\d{1,3}</sup>")
NOTE = re.compile(r"(?:[¹²³⁰⁴-⁹]{1,3}|[*∗†‡§]{1,3})\s*[^\W_]|<sup>\w{1,3}</sup>\s*\S")  # at the foot of a page

# --------------------------------------------------------------------------------------- pages

VOWELS = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœęąăőűěůı")  # of languages in Latin letters
_ROMAN = r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
_COUNT = rf"(?:(?:{any_of(PAGE)})\.?:?\s*)?(?:\d{{1,4}}|{_ROMAN})(?:\s*(?:{any_of(OF)})\s*\d{{1,4}})?"
PAGE_NUMBER = re.compile(  # no price, share or code: `€ 12`, `50 %`, `A-12`
    rf"^(?:[-–—~]\s*{_COUNT}\s*[-–—~]|[|•·\s]{{0,2}}{_COUNT}[.|•·\s]{{0,2}}|第?\s*\d{{1,4}}\s*[页頁]?)$", re.IGNORECASE
)
STAMP = re.compile(r"https?://|www\.|\bdownloaded\b|©|\bdoi\b", re.IGNORECASE)
# The number at one end of a running head: no year, no number of a section or a date
NUMBERED_END = re.compile(r"(?:\d{1,3}|[ivxl]{1,6})\s++\D.*\w\W{0,2}|\W*+[^\W\d]\D*\s(?:\d{1,3}|[ivxl]{1,6})")
ENTRY_PAGE = re.compile(r"(?P<leader>(?<![\s.…·_])[\s.…·_]*+)(?P<page>\d{1,4}|[ivxlc]{1,7})$")  # of a table of contents
LEADER_END = re.compile(r"(?<![.…·_])(?<![.…·_]\s)(?:[.…·_]\s?+){2,}+$|\s[.…·]$")
LEADER = re.compile(r"[\s.…·_]+")
INDEX_ENTRY = re.compile(r"[\W\d_]*+[^\W\d_].*,\s?(?:\d{1,4}|[ivxlc]+)(?:[–-]\d{1,4})?$")  # words, and where they are
NUMBER_CELL = re.compile(
    r"[(\[~≈<>≤≥±+−–-]*\s*+(?:[$€£¥]\s*+)?\d[\d.,\s%()\]/±×·–−:+e-]*+[%†‡*∗⁰¹²³⁴-⁹⁻]*|[-–—]+|n/?a", re.IGNORECASE
)  # all of a cell
_UNITS = (  # that fill a cell; in capitals the litres of America; of one letter are grades and flags, too
    "mm cm km µm nm in ft mm² cm² m² km² ha mm³ cm³ m³ ml cl dl µl fl mL dL µL fL mg kg µg ng pg lb oz mol mmol µmol "
    "nmol pmol g/l mg/l µg/l ng/l g/dl mg/dl µg/dl ng/ml pg/ml µg/ml mg/ml U/l IU/l IU/ml mIU/l mU/l mmol/l µmol/l "
    "nmol/l pmol/l mmol/mol 10^9/l 10^12/l 10⁹/l 10¹²/l /µl g/L mg/L µg/L ng/L g/dL mg/dL µg/dL ng/mL pg/mL U/L IU/L "
    "IU/mL mIU/L mmol/L µmol/L nmol/L pmol/L 10^9/L 10^12/L 10⁹/L 10¹²/L /µL mm/h ml/min mL/min min ms Hz kHz MHz GHz "
    "mV kV mA kW MW kWh MWh kJ Pa hPa kPa MPa bar mbar kN Nm °C °F % ‰ dB dB(A) lx lm rpm 1/min m/s km/h m³/h l/h "
    "l/min kg/m³ g/cm³ g/m² W/m² µS/cm mS/cm Ω kΩ MΩ pcs Stk. ppm ppb pH £ € $ ¥"
)
UNITS = frozenset(_UNITS.split())
