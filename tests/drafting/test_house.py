"""What keeps drafting a house of lists: where numbers may stand, and how much one function may decide.

Each limit is what holds today, or little above it. A change may lower it, and must then lower the number here, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import docparse_fast.drafting
from docparse_fast.drafting.blocks.rules import RULES

DRAFTING = Path(docparse_fast.drafting.__file__).parent
HOME_OF_NUMBERS = {"measures.py", "words.py"}
MOST_NUMBERS = 585  # named ones at module level elsewhere; the goal is 120
MOST_COMPLEX = 20  # ways through one function; the goal is 15
MOST_OVER_TEN = 91  # functions with more than ten; the goal is one in sixteen
LONGEST_FILE = 400  # lines
MOST_LINES = 21_250

WAYS = (ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.comprehension, ast.Assert)


def modules() -> list[Path]:
    return sorted(DRAFTING.rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def complexity(function: ast.AST) -> int:
    """Ways through a function: one, and one more for each condition."""
    nodes = list(ast.walk(function))
    clauses = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    conditions = sum(len(node.ifs) for node in nodes if isinstance(node, ast.comprehension))
    return 1 + sum(isinstance(node, WAYS) for node in nodes) + clauses + conditions


def functions() -> Iterator[tuple[str, ast.AST]]:
    for path in modules():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef):
                yield f"{path.relative_to(DRAFTING)}:{node.name}", node


def numbers(path: Path) -> int:
    """Numbers in assignments at module level."""
    assigned = [n.value for n in parsed(path).body if isinstance(n, ast.Assign | ast.AnnAssign)]
    parts = [e for value in assigned if value for e in (value.elts if isinstance(value, ast.Tuple) else [value])]
    return sum(isinstance(part, ast.Constant) and isinstance(part.value, int | float) for part in parts)


def test_numbers_have_one_home():
    elsewhere = {
        str(path.relative_to(DRAFTING)): numbers(path) for path in modules() if path.name not in HOME_OF_NUMBERS
    }
    assert sum(elsewhere.values()) <= MOST_NUMBERS, elsewhere


def test_no_function_decides_more_than_today():
    found = {name: complexity(node) for name, node in functions()}
    assert max(found.values()) <= MOST_COMPLEX, max(found, key=found.__getitem__)
    assert sum(ways > 10 for ways in found.values()) <= MOST_OVER_TEN


def test_no_file_is_longer_than_one_idea():
    assert [path.name for path in modules() if len(path.read_text("utf-8").splitlines()) > LONGEST_FILE] == []


def test_drafting_grows_no_longer():
    assert sum(len(path.read_text("utf-8").splitlines()) for path in modules()) <= MOST_LINES


def test_the_words_of_documents_have_one_home():
    """Lists of words in several languages stood in eight modules, each with another set of languages."""
    spread = [path.name for path in modules() if "kapitel" in path.read_text("utf-8").lower()]
    assert spread in ([], ["words.py"])


def test_every_rule_is_a_row_with_a_name_and_says_what_it_does():
    names = [rule.__name__ for rule in RULES]
    assert len(set(names)) == len(names) and all(name.startswith(("with", "figures")) for name in names)
