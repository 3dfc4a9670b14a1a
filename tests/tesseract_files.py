"""A small file of the same make as Tesseract's data: letters and a graph of words."""

import struct
from collections.abc import Sequence
from pathlib import Path

LETTERS = "абвгдежзиклмнопрстуфхцчшыьэюяไทยคนดีabcdefghijklmnopqrstuvwxyzíñ교개বাংলভষি"
LAST, ENDS = 1, 4


def data_file(path: Path, words: Sequence[Sequence[str]], signs: Sequence[str] = LETTERS) -> Path:
    """Letters and words as Tesseract's data has them: a node is a run of edges, the last of which says so."""
    tree: dict = {}
    for word in words:
        node = tree
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = {}
    bits = len(signs).bit_length()
    edges: list[int] = []
    waiting = [(tree, -1)]
    for node, came_by in waiting:
        letters = sorted(letter for letter in node if letter)
        if came_by >= 0 and letters:
            edges[came_by] |= len(edges) << (bits + 3)
        for letter in letters:
            says = (LAST if letter == letters[-1] else 0) | (ENDS if "" in node[letter] else 0)
            edges.append(signs.index(letter) | says << bits)
            waiting.append((node[letter], len(edges) - 1))
    graph = struct.pack(f"<hii{len(edges)}Q", 42, len(signs), len(edges), *edges)
    letters = "\n".join([str(len(signs)), *(f"{sign} 1 0,255" for sign in signs)]).encode()
    head = 4 + 8 * 22
    starts = [-1] * 19 + [head, -1, head + len(graph)]
    path.write_bytes(struct.pack("<i22q", 22, *starts) + graph + letters)
    return path
