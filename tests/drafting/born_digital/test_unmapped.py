"""Letters of a layer that have no meaning."""

from docparse_fast.document import Box, TableCell, TextLayer, TextLine, TextSpan, TextTable
from docparse_fast.drafting.born_digital.unmapped import completed_layer
from docparse_fast.drafting.lines import Line

ROW = Box(0, 90, 400, 100)


def layer(text: str) -> TextLayer:
    cell = TableCell(0, 0, text, box=ROW)
    return TextLayer(((TextLine(ROW, (TextSpan(ROW, text, "Calibri", 10, 98),)),),), tables=(TextTable(ROW, (cell,)),))


def read(text: str, box: Box = ROW) -> list[Line]:
    return [Line(box, text, 10, "embedded")]


def test_a_ligature_without_a_meaning_is_read():
    whole = completed_layer(layer("Informa\ufffdon on  o\ufffdces."), read("Information on offices."))
    assert whole.lines[0].text == whole.tables[0].cells[0].text == "Information on  offices."


def test_what_stands_elsewhere_tells_nothing():
    for other in (read("Formation"), read("nation", Box(0, 300, 400, 310)), read("nation", Box(900, 90, 990, 100))):
        assert completed_layer(layer("na\ufffdon"), other).lines[0].text == "na\ufffdon"
