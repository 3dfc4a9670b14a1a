"""What kind of sign a LaTeX symbol is, and how high it stands. Knows symbols; knows no places."""

from __future__ import annotations

from enum import StrEnum


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTIONS = _words(  # LaTeX has commands for these
    """sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim max min sup inf det dim ker
    gcd deg arg hom Pr limsup liminf"""
)
MORE_FUNCTIONS = _words(
    """argmax argmin mod lcm tr Tr rank diag sgn sign span Re Im Hom End Aut Gal Spec Var Cov id im coker supp vol ord
    div grad curl rot rk GL SL SO SU Sym Res Ext Tor erf erfc card codim colim ess dist conv"""
)
NAMES = FUNCTIONS | MORE_FUNCTIONS
TAKE_LIMITS = _words("lim max min sup inf det gcd Pr limsup liminf argmax argmin colim")


class Kind(StrEnum):
    LETTER = "letter"
    BIG = "big"  # a sum and its like: takes limits
    INTEGRAL = "integral"
    BINARY = "binary"
    RELATION = "relation"
    OPENING = "opening"
    CLOSING = "closing"
    FENCE = "fence"  # opens or closes
    PUNCTUATION = "punctuation"
    ACCENT = "accent"
    RADICAL = "radical"
    BRACE = "brace"  # lies over or under


BIG_KINDS = frozenset({Kind.BIG, Kind.INTEGRAL})
FENCE_KINDS = frozenset({Kind.OPENING, Kind.CLOSING, Kind.FENCE})


def _names(text: str) -> frozenset[str]:
    return frozenset(word if not word.isalpha() else "\\" + word for word in _words(text))


BIG = _names("sum prod coprod bigcup bigcap bigvee bigwedge bigoplus bigotimes bigodot biguplus bigsqcup")
INTEGRALS = _names("int iint iiint oint iiiint oiint")
BINARY = _names(
    r"""+ - * \cdot pm mp times div ast star circ bullet cap cup uplus sqcap sqcup vee wedge setminus wr diamond
    bigtriangleup bigtriangledown triangleleft triangleright oplus ominus otimes oslash odot dagger ddagger amalg
    boxplus boxtimes boxdot boxminus ltimes rtimes dotplus smallsetminus centerdot intercal barwedge veebar
    bigcirc circledast circledcirc circleddash divideontimes curlyvee curlywedge Cup Cap"""
)
RELATIONS = _names(
    r"""= < > : := leq geq neq ne approx equiv sim simeq cong propto in notin ni subset supset subseteq supseteq
    nsubseteq subsetneq supsetneq prec succ preceq succeq ll gg asymp doteq models vdash dashv perp mid nmid parallel
    nparallel smile frown bowtie to rightarrow leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow mapsto
    longmapsto longrightarrow longleftarrow Longrightarrow Longleftarrow Longleftrightarrow longleftrightarrow iff
    implies hookrightarrow hookleftarrow uparrow downarrow updownarrow nearrow searrow nwarrow swarrow rightharpoonup
    rightharpoondown leftharpoonup leftharpoondown rightleftharpoons leqslant geqslant lesssim gtrsim nleq ngeq nless
    ngtr nsim ncong triangleq circeq leqq geqq sqsubseteq sqsupseteq sqsubset sqsupset trianglelefteq trianglerighteq
    vartriangleleft vartriangleright lll ggg backsim approxeq eqsim thicksim thickapprox twoheadrightarrow
    rightsquigarrow leadsto Vdash vDash nvdash nrightarrow nleftarrow nexists rightrightarrows
    rightleftarrows leftrightarrows curvearrowright multimap therefore because preccurlyeq succcurlyeq gtrless lessgtr
    Subset Supset fallingdotseq risingdotseq bumpeq Bumpeq eqcirc between pitchfork coloneqq"""
)
OPENING = _names(r"( [ \{ langle lfloor lceil lvert lVert lbrack llbracket ulcorner llcorner lgroup")
CLOSING = _names(r") ] \} rangle rfloor rceil rvert rVert rbrack rrbracket urcorner lrcorner rgroup")
FENCES = _names(r"| \| vert Vert")
PUNCTUATION = frozenset({",", ";", "."})
WIDE_ACCENTS = _names("widehat widetilde overrightarrow overleftarrow overleftrightarrow")
ACCENTS = WIDE_ACCENTS | _names("hat tilde bar vec dot ddot dddot check breve acute grave mathring")
BRACES = _names("overbrace underbrace overparen underparen overbracket underbracket")
PARTNERS = {
    "(": ")", "[": "]", "\\{": "\\}", "\\langle": "\\rangle", "\\lfloor": "\\rfloor", "\\lceil": "\\rceil",
    "|": "|", "\\|": "\\|",
}  # fmt: skip

_KINDS = {
    **dict.fromkeys(BIG, Kind.BIG),
    **dict.fromkeys(INTEGRALS, Kind.INTEGRAL),
    **dict.fromkeys(BINARY, Kind.BINARY),
    **dict.fromkeys(RELATIONS, Kind.RELATION),
    **dict.fromkeys(OPENING, Kind.OPENING),
    **dict.fromkeys(CLOSING, Kind.CLOSING),
    **dict.fromkeys(FENCES, Kind.FENCE),
    **dict.fromkeys(PUNCTUATION, Kind.PUNCTUATION),
    **dict.fromkeys(ACCENTS, Kind.ACCENT),
    **dict.fromkeys(BRACES, Kind.BRACE),
    "\\sqrt": Kind.RADICAL,
}


def kind_of(symbol: str) -> Kind:
    """
    >>> kind_of("\\\\sum"), kind_of("="), kind_of("\\\\alpha")
    (<Kind.BIG: 'big'>, <Kind.RELATION: 'relation'>, <Kind.LETTER: 'letter'>)
    """
    return _KINDS.get(symbol, Kind.LETTER)


# ------------------------------------------------------------------------------------------------ heights

CAPITAL, SMALL, DEEP = 0.69, 0.44, 0.2  # of the type's size: heights above the baseline, and depth below it
AXIS = 0.25  # of the type's size above the baseline: fraction bars, minus signs and the middles of fences lie there
DISPLAYED = 1.4  # of the type's size: the height of a displayed sum; a grid's fences are higher
TALL = 1.2  # of the type's size: a higher fence or fraction stands on no baseline
DESCENDING = frozenset("gpqy") | _names("gamma eta mu rho varphi chi varrho varsigma")
SMALL_LETTERS = frozenset("acemnorsuvwxz") | _names(
    "alpha epsilon varepsilon iota kappa nu pi sigma tau upsilon omega varpi"
)
TALL_AND_DEEP = frozenset("jQ") | _names("beta zeta xi phi psi wp") | {"f"}


def extent_of(symbol: str) -> tuple[float, float] | None:
    """Height and depth in type sizes, for signs whose boxes tell their size; None for the others.

    >>> extent_of("x"), extent_of("b"), extent_of("-")
    ((0.44, 0.0), (0.69, 0.0), None)
    """
    if symbol in SMALL_LETTERS:
        return SMALL, 0.0
    if symbol in DESCENDING:
        return SMALL, DEEP
    if symbol in TALL_AND_DEEP:
        return CAPITAL, DEEP
    if symbol in ("t", "i"):
        return (0.62, 0.0) if symbol == "t" else (0.66, 0.0)
    return (CAPITAL, 0.0) if kind_of(symbol) is Kind.LETTER and symbol not in _SMALL_SIGNS else None


_SMALL_SIGNS = _names(
    r"""cdots ldots vdots ddots prime dots infty not ' " \, partial_ ell_ colon backslash / angle"""
) | {"\\vert-part", "\\mapstochar"}
