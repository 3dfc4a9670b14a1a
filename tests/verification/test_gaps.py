"""A page with a smaller model: it fills the gaps of the drafts, and its failure costs nothing but its help."""

from __future__ import annotations

from typing import ClassVar

from fake_document_target import FakeDocumentTarget
from fake_targets import ScriptedModel
from scenes import steps, texts, verified
from test_stages import RIGHT, misread, scene, whole


class Helped(FakeDocumentTarget):
    """Its smaller model knows the page."""

    def page_drafting(self, image, view):
        return ScriptedModel(self.encode(whole()))


class Deserted(FakeDocumentTarget):
    """Its smaller model fails at once."""

    def page_drafting(self, image, view):
        def begin(store):
            raise RuntimeError("no device")

        model = ScriptedModel(())
        model.begin = begin
        return model


class Watched(Helped):
    """Keeps what its smaller models were given."""

    stores: ClassVar = []

    def page_drafting(self, image, view):
        model = super().page_drafting(image, view)
        model.begin = self.stores.append
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


def test_each_page_gives_its_smaller_model_a_store_of_its_own():
    page_of(Watched), page_of(Watched)
    one, other = Watched.stores
    assert one is not other
    text = [9005, 9006, 9007]
    one.learn([*text, 8, *text])
    assert (one.after(text), other.after(text[:1])) == ([8, *text], [])
