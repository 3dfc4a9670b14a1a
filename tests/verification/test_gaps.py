"""A page with a smaller model: it fills the gaps of the drafts, and its failure costs nothing but its help."""

from __future__ import annotations

from scenes import steps, texts, verified
from test_stages import RIGHT, misread, scene, whole

from docparse_fast.speculative.fakes import ScriptedModel
from docparse_fast.verification.fakes import FakeDocumentTarget


class Helped(FakeDocumentTarget):
    """Its smaller model knows the page."""

    def page_drafting(self, image):
        return ScriptedModel(self.encode(whole()))


class Deserted(FakeDocumentTarget):
    """Its smaller model fails at once."""

    def page_drafting(self, image):
        def begin():
            raise RuntimeError("no device")

        model = ScriptedModel(())
        model.begin = begin
        return model


def page_of(kind):
    [outcome], _ = verified([scene(drafted=[misread(misread(text)[::2]) for text in RIGHT])], stages="2", kind=kind)
    return outcome


def test_a_smaller_model_saves_passes_where_drafts_are_wrong():
    alone, helped = page_of(FakeDocumentTarget), page_of(Helped)
    assert texts(helped) == texts(alone) == list(RIGHT)
    assert steps(helped) < steps(alone) / 2
    assert helped.evidence.stage_2.candidates["model"].accepted > 20


def test_a_smaller_model_that_fails_is_a_warning_of_its_page():
    outcome = page_of(Deserted)
    assert (outcome.status, texts(outcome)) == ("ok", list(RIGHT))
    assert outcome.evidence.warnings == (
        "the draft model failed, and the target went on without it (RuntimeError: no device)",
    )
