"""dots.ocr's vision tower as mlx-vlm computes it: run by hand to record what the suite compares with. Knows no torch.

    pip install 'mlx[cpu]' mlx-vlm numpy            # in an environment of its own; recorded with 0.32.4 and 0.7.10
    python tests/targets/record_dots_vision.py tests/targets/data/dots_vision.json

Weights and patches are drawn by name from a generator whose stream is frozen, so that only the answer is recorded.
"""

import json
import sys
import zlib
from pathlib import Path

import numpy as np

VISION = {
    "embed_dim": 48,
    "hidden_size": 24,
    "intermediate_size": 40,
    "num_hidden_layers": 3,
    "num_attention_heads": 3,
}
GRIDS = [[1, 4, 6], [1, 2, 4]]  # two images of unlike shape, packed one after the other


def drawn(name, shape):
    """A tensor that depends on its name and shape alone; matrices keep the size of what they multiply."""
    noise = np.random.RandomState(zlib.crc32(name.encode())).standard_normal(shape)
    if len(shape) > 1:
        gain = 2.0 if "qkv" in name else 1.0  # attention that looks somewhere shows wrong positions
        return (noise * gain / np.sqrt(np.prod(shape[1:]))).astype(np.float32)
    return (0.1 * noise + (name.endswith(("norm.weight", "norm1.weight", "norm2.weight", "ln_q.weight")))).astype(
        np.float32
    )


def patches():
    count = sum(rows * columns for _, rows, columns in GRIDS)
    return drawn("patches", (count, 3 * 14 * 14)) * 20


def main(path):
    import mlx.core as mx
    from mlx.utils import tree_flatten
    from mlx_vlm.models.dots_ocr.config import VisionConfig
    from mlx_vlm.models.dots_ocr.vision import VisionModel

    tower = VisionModel(VisionConfig(**VISION))
    weights = []
    for name, value in tree_flatten(tower.parameters()):
        shape = value.shape
        if name.endswith("patchifier.proj.weight"):  # MLX keeps channels last; names and values are the checkpoint's
            weight = drawn(name, (shape[0], shape[3], shape[1], shape[2])).transpose(0, 2, 3, 1)
        else:
            weight = drawn(name, shape)
        weights.append((name, mx.array(weight)))
    tower.load_weights(weights)
    seen = np.array(tower(mx.array(patches()), mx.array(GRIDS)))
    names = sorted(name for name, _ in weights)
    Path(path).write_text(json.dumps({"names": names, "tokens": np.round(seen, 6).tolist()}))


if __name__ == "__main__":
    main(sys.argv[1])
