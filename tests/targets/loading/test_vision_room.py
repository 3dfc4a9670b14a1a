"""An image whose attention would not fit is refused before it is looked at."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: E402

from docparse_fast.errors import PageError  # noqa: E402
from docparse_fast.targets.loading.vision_room import check_vision_room, pairs_bytes  # noqa: E402

TOWER = SimpleNamespace(hidden_size=1152, num_heads=16)
MODEL = SimpleNamespace(config=SimpleNamespace(vision_config=TOWER), device=torch.device("cpu"), dtype=torch.float32)
SMALL, HUGE = ({"image_grid_thw": torch.tensor([[1, side, side]])} for side in (16, 4000))


def test_the_kernel_that_keeps_all_pairs_is_refused_for_a_page_that_it_has_no_room_for():
    with sdpa_kernel(SDPBackend.MATH):
        check_vision_room(MODEL, SMALL)
        with pytest.raises(PageError, match="math attention") as refused:
            check_vision_room(MODEL, HUGE)
    assert refused.value.code == "out_of_memory"
    assert "--max-pixels" in refused.value.remedy


def test_other_kernels_keep_no_pairs():
    assert pairs_bytes(MODEL, HUGE) == 0


def test_all_pairs_of_patches_are_counted_for_each_head():
    with sdpa_kernel(SDPBackend.MATH):
        assert pairs_bytes(MODEL, SMALL) == 2 * 16 * 256**2 * 4
        assert pairs_bytes(MODEL, {}) == 0


def test_a_tower_that_is_told_pixels_is_counted_by_its_patches():
    tower = SimpleNamespace(hidden_size=1024, num_attention_heads=16, patch_size=14)
    model = SimpleNamespace(config=SimpleNamespace(vision_config=tower), device=MODEL.device, dtype=torch.bfloat16)
    page = {"image_sizes": torch.tensor([[1540, 1078]])}
    assert pairs_bytes(model, page) == 0
    with sdpa_kernel(SDPBackend.MATH):
        assert pairs_bytes(model, page) == 2 * 16 * (110 * 77) ** 2 * 2


def test_a_head_is_as_wide_as_the_towers_own_layers(monkeypatch):
    """Qwen2-VL's `hidden_size` is that of the text model, which other kernels take."""
    tower = SimpleNamespace(hidden_size=3584, embed_dim=1280, num_heads=16)
    model = SimpleNamespace(config=SimpleNamespace(vision_config=tower), device=MODEL.device, dtype=torch.float32)
    asked = []
    monkeypatch.setattr(
        torch, "_fused_sdp_choice", lambda one, *_: asked.append(one.shape[-1]) or SDPBackend.MATH.value
    )
    assert pairs_bytes(model, SMALL)
    assert asked == [80]
