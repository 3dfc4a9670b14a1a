"""Invents documents whose structure is known. Knows blocks and languages; knows no producer and no style.

The words mean nothing: they are drawn from a short list of common words for each language.
The same seed gives the same document.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

VOCABULARY = {
    "en": "river stone light window garden morning paper bridge winter market letter table engine forest music "
    "harbour teacher village mountain silver answer question number figure method result system process member",
    "de": "Fluss Stein Licht Fenster Garten Morgen Papier Brücke Winter Markt Brief Maschine Wald Straße Hafen "
    "Lehrer Gebirge Silber Antwort Größe Zahl Verfahren Ergebnis Mitglied über zwischen schön langsam",
    "fr": "rivière pierre lumière fenêtre jardin matin papier pont hiver marché lettre moteur forêt musique port "
    "maître village montagne argent réponse nombre méthode résultat système élève où déjà ancien",
    "ru": "река камень свет окно сад утро бумага мост зима рынок письмо машина лес музыка гавань учитель деревня "
    "гора серебро ответ вопрос число метод система процесс человек город большой новый",
    "he": "נהר אבן אור חלון גן בוקר נייר גשר חורף שוק מכתב מנוע "
    "יער נמל מורה כפר הר כסף תשובה שאלה מספר שיטה תוצאה מערכת",
    "ar": "نهر حجر ضوء نافذة حديقة صباح ورق جسر شتاء سوق رسالة محرك "
    "غابة ميناء معلم قرية جبل فضة جواب سؤال رقم طريقة نتيجة نظام",
    "zh": "河流 石头 光线 窗户 花园 早晨 纸张 桥梁 冬天 市场 信件 机器 "
    "森林 音乐 港口 教师 村庄 高山 白银 答案 问题 数字 方法 结果 系统",
    "ko": "강물 바위 햇빛 창문 정원 아침 종이 다리 겨울 시장 편지 기계 "
    "숲길 음악 항구 교사 마을 높은 은빛 대답 질문 숫자 방법 결과",
}
FROM_THE_RIGHT = {"he", "ar"}
WITHOUT_BLANKS = {"zh"}
CODE = (
    "def total(items):",
    "    count = 0",
    "    for item in items:",
    "        count += item.size",
    "    return count",
    "",
    "if (x < limit) { run(x); }",
    "make install --prefix=/usr",
    "value = table[key]",
    "# read the list again",
    'print("ready")',
)
SHAPES = ("plain", "numbers", "wordy", "spanned")

Style = str  # "", "bold", "italic", "code", "link", "note"


@dataclass(frozen=True)
class Run:
    """A stretch of text in one style; a footnote's text, or a link's address, is its `aside`."""

    text: str
    style: Style = ""
    aside: str = ""


Runs = tuple[Run, ...]


@dataclass(frozen=True)
class Block:
    """`kind` is heading, paragraph, item, code, table or figure; `level` counts from 1."""

    kind: str
    runs: Runs = ()
    level: int = 1
    ordered: bool = False
    lines: tuple[str, ...] = ()  # of code
    rows: tuple[tuple[Runs, ...], ...] = ()  # of a table, the first its head
    spanned: bool = False  # the table's first row is one cell
    sizes: tuple[int, ...] = ()  # of a figure's bars


@dataclass(frozen=True)
class Document:
    language: str
    blocks: tuple[Block, ...]
    running_head: str

    @property
    def from_the_right(self) -> bool:
        return self.language in FROM_THE_RIGHT


def plain(runs: Sequence[Run]) -> str:
    return "".join(run.text for run in runs if run.style != "note")


class Author:
    """Writes one document."""

    def __init__(self, language: str, seed: str) -> None:
        self.language = language
        self.random = random.Random(f"{language} {seed}")
        self.words = VOCABULARY[language].split()
        self.blank = "" if language in WITHOUT_BLANKS else " "

    def document(self, sections: int = 4) -> Document:
        head = self.phrase(3)
        blocks = [Block("heading", self.text(self.phrase(4)), 1)]
        for n in range(sections):
            blocks.append(Block("heading", self.text(self.phrase(self.random.randint(2, 5))), 2))
            blocks += self.section()
            if n % 2:
                blocks.append(Block("heading", self.text(self.phrase(3)), 3))
                blocks += self.section()
        return Document(self.language, tuple(blocks), head)

    def section(self) -> list[Block]:
        made = [self.paragraph()]
        kinds = [self.items, self.table, self.code, self.figure, lambda: [self.paragraph()]]
        for make in self.random.sample(kinds, 2):
            made += make()
            made.append(self.paragraph())
        return made

    def phrase(self, count: int) -> str:
        return self.blank.join(self.random.choice(self.words) for _ in range(count))

    def sentence(self, least: int = 6, most: int = 16) -> str:
        words = self.phrase(self.random.randint(least, most))
        return words[:1].upper() + words[1:] + ("。" if self.language in WITHOUT_BLANKS else ".")

    def text(self, words: str) -> Runs:
        return (Run(words[:1].upper() + words[1:]),)

    def prose(self, sentences: int) -> Runs:
        runs: list[Run] = []
        for _ in range(sentences):
            runs.append(Run(self.sentence() + self.blank))
            if self.random.random() < 0.35:
                runs += [self.marked(), Run(self.blank)]
        return (*runs, Run(self.sentence()))

    def marked(self) -> Run:
        style = self.random.choice(("bold", "italic", "code", "link", "note"))
        if style == "code":
            return Run(self.random.choice(("read_all()", "--quiet", "size_t", "/etc/hosts")), style)
        if style == "note":
            return Run("", style, self.sentence())
        return Run(self.phrase(3), style, "https://example.org/" + str(self.random.randint(1, 99)))

    def paragraph(self) -> Block:
        return Block("paragraph", self.prose(self.random.randint(1, 4)))

    def items(self) -> list[Block]:
        ordered = self.random.random() < 0.4
        made = []
        for n in range(self.random.randint(3, 5)):
            made.append(Block("item", self.prose(0) if n % 2 else self.prose(1), 1, ordered))
            if not ordered and self.random.random() < 0.3:
                made += [Block("item", self.text(self.sentence(3, 6)), 2) for _ in range(2)]
        return made

    def code(self) -> list[Block]:
        start = self.random.randrange(len(CODE) - 4)
        lines = CODE[start : start + self.random.randint(2, 6)]
        return [Block("code", lines=tuple(" ".join(lines).strip() and lines))]

    def figure(self) -> list[Block]:
        return [Block("figure", self.text(self.sentence(4, 7)), sizes=tuple(self.random.sample(range(10, 99), 6)))]

    def table(self) -> list[Block]:
        shape, columns = self.random.choice(SHAPES), self.random.randint(2, 5)
        rows = [tuple(self.text(self.phrase(1)) for _ in range(columns))]
        names = [self.text(self.phrase(2)) for _ in range(self.random.randint(3, 7))]
        rows += [(name, *(self.cell(shape) for _ in range(columns - 1))) for name in names]
        if shape == "spanned":
            rows.insert(0, (self.text(self.phrase(3)),))
        return [Block("table", rows=tuple(rows), spanned=shape == "spanned")]

    def cell(self, shape: str) -> Runs:
        if shape == "numbers":
            return (Run(f"{self.random.randint(1, 9999) / 100:.2f}"),)
        if shape == "wordy" and self.random.random() < 0.5:
            return self.text(self.phrase(self.random.randint(6, 12)))
        run = self.random.choice((Run(self.phrase(2)), Run(str(self.random.randint(1, 99))), self.marked()))
        return (run if run.style != "note" else Run(self.phrase(1)),)
