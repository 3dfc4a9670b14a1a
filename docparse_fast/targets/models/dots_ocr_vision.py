"""dots.ocr's vision tower: patches of images to tokens of the text model's width. Knows no text model and no file.

It has two-dimensional rotary positions, RMSNorm and SwiGLU blocks without biases, full attention within each image, and
a merger that makes one token of 2 x 2 patches. Modules and parameters have the checkpoint's names.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers.configuration_utils import PretrainedConfig

ROPE_THETA = 10_000.0  # as in the released code; the config does not have it
MERGER_NORM_EPS = 1e-6


class DotsVisionConfig(PretrainedConfig):  # type: ignore[misc]
    model_type = "dots_vit"

    embed_dim: int = 1536
    hidden_size: int = 1536  # of the text model, into which the merger maps
    intermediate_size: int = 4224
    num_hidden_layers: int = 42
    num_attention_heads: int = 12
    num_channels: int = 3
    patch_size: int = 14
    spatial_merge_size: int = 2
    temporal_patch_size: int = 1
    rms_norm_eps: float = 1e-5
    use_bias: bool = False
    post_norm: bool = True


class RMSNorm(nn.Module):
    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        wide = x.float()
        wide = wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.eps)
        return wide.to(x.dtype) * self.weight


def patch_positions(grid: Tensor, merge: int) -> Tensor:
    """Row and column of every patch, in the order of the image processor: (patches, 2).

    The four patches of a token are adjacent; the groups go row by row.
    """
    per_image = []
    for frames, rows, columns in grid.tolist():
        where = torch.stack(torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij"), dim=-1)
        groups = where.view(rows // merge, merge, columns // merge, merge, 2).transpose(1, 2)
        per_image.append(groups.reshape(-1, 2).repeat(frames, 1))
    return torch.cat(per_image).to(grid.device)


def rotary_angles(positions: Tensor, head_size: int) -> Tensor:
    """Half of the frequencies rotate with a patch's row, half with its column: (patches, head_size / 2)."""
    half = head_size // 2
    steps = torch.arange(0, half, 2, dtype=torch.float32, device=positions.device)
    frequencies = ROPE_THETA ** -(steps / half)
    return (positions[:, :, None] * frequencies).flatten(1)


def rotate(x: Tensor, angles: Tensor) -> Tensor:
    """Rotates each pair (x[i], x[i + size/2]) of every head by its angle; x is (patches, heads, head_size)."""
    cos, sin = angles.cos()[:, None], angles.sin()[:, None]
    first, second = x.float().chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1).to(x.dtype)


class VisionAttention(nn.Module):
    def __init__(self, config: DotsVisionConfig) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        self.qkv = nn.Linear(config.embed_dim, 3 * config.embed_dim, bias=config.use_bias)
        self.proj = nn.Linear(config.embed_dim, config.embed_dim, bias=config.use_bias)

    def forward(self, x: Tensor, angles: Tensor, lengths: list[int]) -> Tensor:
        query, key, value = self.qkv(x).unflatten(-1, (3, self.heads, -1)).unbind(1)  # each (patches, heads, size)
        query, key = rotate(query, angles), rotate(key, angles)
        images = zip(*(torch.split(part, lengths) for part in (query, key, value)), strict=True)
        return cast(Tensor, self.proj(torch.cat([_attend(*image) for image in images])))


def _attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Every patch of an image sees every other one of it."""
    query, key, value = (part.transpose(0, 1)[None] for part in (query, key, value))
    return functional.scaled_dot_product_attention(query, key, value)[0].transpose(0, 1).flatten(1)


class VisionMLP(nn.Module):
    def __init__(self, config: DotsVisionConfig) -> None:
        super().__init__()
        self.fc1 = nn.Linear(config.embed_dim, config.intermediate_size, bias=config.use_bias)  # gate
        self.fc2 = nn.Linear(config.intermediate_size, config.embed_dim, bias=config.use_bias)  # down
        self.fc3 = nn.Linear(config.embed_dim, config.intermediate_size, bias=config.use_bias)  # up

    def forward(self, x: Tensor) -> Tensor:
        return cast(Tensor, self.fc2(functional.silu(self.fc1(x)) * self.fc3(x)))


class VisionBlock(nn.Module):
    def __init__(self, config: DotsVisionConfig) -> None:
        super().__init__()
        self.norm1 = RMSNorm(config.embed_dim, config.rms_norm_eps)
        self.attn = VisionAttention(config)
        self.norm2 = RMSNorm(config.embed_dim, config.rms_norm_eps)
        self.mlp = VisionMLP(config)

    def forward(self, x: Tensor, angles: Tensor, lengths: list[int]) -> Tensor:
        x = x + self.attn(self.norm1(x), angles, lengths)
        return cast(Tensor, x + self.mlp(self.norm2(x)))


class Patchifier(nn.Module):
    """Maps flattened patches, each (channels x height x width), to the tower's width."""

    def __init__(self, config: DotsVisionConfig) -> None:
        super().__init__()
        self.shape = (config.num_channels, config.patch_size, config.patch_size)
        self.proj = nn.Conv2d(config.num_channels, config.embed_dim, config.patch_size, stride=config.patch_size)
        self.norm = RMSNorm(config.embed_dim, config.rms_norm_eps)

    def forward(self, patches: Tensor) -> Tensor:
        return cast(Tensor, self.norm(self.proj(patches.view(-1, *self.shape)).flatten(1)))


class PatchEmbed(nn.Module):
    """Exists only because the checkpoint's names have this level."""

    def __init__(self, config: DotsVisionConfig) -> None:
        super().__init__()
        self.patchifier = Patchifier(config)

    def forward(self, patches: Tensor) -> Tensor:
        return cast(Tensor, self.patchifier(patches))


class Merger(nn.Module):
    def __init__(self, config: DotsVisionConfig) -> None:
        super().__init__()
        self.wide = config.embed_dim * config.spatial_merge_size**2
        self.ln_q = nn.LayerNorm(config.embed_dim, eps=MERGER_NORM_EPS)
        self.mlp = nn.Sequential(nn.Linear(self.wide, self.wide), nn.GELU(), nn.Linear(self.wide, config.hidden_size))

    def forward(self, x: Tensor) -> Tensor:
        return cast(Tensor, self.mlp(self.ln_q(x).view(-1, self.wide)))


class VisionTower(nn.Module):
    def __init__(self, config: DotsVisionConfig) -> None:
        super().__init__()
        self.merge = config.spatial_merge_size
        self.head_size = config.embed_dim // config.num_attention_heads
        self.patch_embed = PatchEmbed(config)
        self.blocks = nn.ModuleList(VisionBlock(config) for _ in range(config.num_hidden_layers))
        self.post_trunk_norm = RMSNorm(config.embed_dim, config.rms_norm_eps)
        self.merger = Merger(config)

    def forward(self, patches: Tensor, grid: Tensor) -> Tensor:
        """Maps all images' patches, in order, and each image's (frames, rows, columns) to (tokens, text width)."""
        angles = rotary_angles(patch_positions(grid, self.merge), self.head_size)
        lengths = [rows * columns for frames, rows, columns in grid.tolist() for _ in range(frames)]
        x = self.patch_embed(patches.to(self.merger.ln_q.weight.dtype))
        for block in self.blocks:
            x = block(x, angles, lengths)
        return cast(Tensor, self.merger(self.post_trunk_norm(x)))
