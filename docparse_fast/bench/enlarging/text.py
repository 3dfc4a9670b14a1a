"""nano's text model, enlarged: its layers among others that write nothing. Knows names and sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from docparse_fast.bench.engine.shapes import Shape
from docparse_fast.bench.enlarging.copies import Copies, HeadDims, within_heads
from docparse_fast.bench.enlarging.larger_tensors import NewTensor, NewTensors

PREFIX = "model.language_model."
HALVES = 2  # rotation pairs the dimensions of a head's two halves


@dataclass(frozen=True)
class EnlargedText:
    make: NewTensors
    old: Mapping[str, Any]  # nano's text_config
    new: Shape
    unwritten: int  # a token that nano never writes: more vocabulary is copies of it
    tied: bool
    after: int  # the text layer after which nano's deepstack feature is added

    @property
    def hidden(self) -> Copies:
        return Copies.evenly(self.new.hidden, self.old["hidden_size"])

    def config(self) -> dict[str, Any]:
        rope = self.old["rope_parameters"]
        _, height, width = rope["mrope_section"]
        section = [self.new.head_size // HALVES - height - width, height, width]
        return {
            **self.old,
            "hidden_size": self.new.hidden,
            "num_hidden_layers": self.new.layers,
            "intermediate_size": self.new.intermediate,
            "num_attention_heads": self.new.heads,
            "num_key_value_heads": self.new.key_heads,
            "head_dim": self.new.head_size,
            "vocab_size": self.new.vocabulary,
            "tie_word_embeddings": self.tied,
            "rope_parameters": {**rope, "rope_theta": self._dims.base(rope["rope_theta"]), "mrope_section": section},
        }

    def parts(self) -> Iterator[NewTensor]:
        yield from self.make.gathered(f"{PREFIX}norm", f"{PREFIX}norm", self.hidden.of, self.hidden.shares)
        yield from self._embedding(f"{PREFIX}embed_tokens.weight")
        if not self.tied:
            yield from self._embedding("lm_head.weight")
        places = {place: number for number, place in enumerate(self.places())}
        for layer in range(self.new.layers):
            name = f"{PREFIX}layers.{layer}."
            number = places.get(layer)
            yield from self._silent(name) if number is None else self._layer(f"{PREFIX}layers.{number}.", name)

    def places(self) -> list[int]:
        """The layers that are nano's: its first done, its second not begun, when its deepstack feature is added."""
        count = self.old["num_hidden_layers"]
        return [max(self.after + number, number * self.new.layers // count) for number in range(count)]

    def _embedding(self, name: str) -> Iterator[NewTensor]:
        """The head reads it as it stands: the shares of the hidden channels are in the last norm."""
        old = self.make.nano[f"{PREFIX}embed_tokens.weight"]
        added = torch.full((self.new.vocabulary - len(old),), self.unwritten)
        tokens = torch.cat([torch.arange(len(old)), added])
        columns = self.hidden.of
        yield NewTensor(name, (len(tokens), len(columns)), lambda rows: old[tokens[rows]][:, columns])

    def _layer(self, source: str, name: str) -> Iterator[NewTensor]:
        make, hidden = self.make, self.hidden
        for norm in ("input_layernorm", "post_attention_layernorm"):
            yield from make.gathered(source + norm, name + norm, hidden.of)
        yield from self._attention(f"{source}self_attn.", f"{name}self_attn.")
        inner = Copies.tiled(self.new.intermediate, self.old["intermediate_size"])
        for layer in ("mlp.gate_proj", "mlp.up_proj"):
            yield from make.linear(source + layer, name + layer, inner.of, hidden)
        yield from make.linear(f"{source}mlp.down_proj", f"{name}mlp.down_proj", hidden.of, inner)

    def _attention(self, source: str, name: str) -> Iterator[NewTensor]:
        make, hidden, old = self.make, self.hidden, self.old["head_dim"]
        dims, queries, keys = self._dims, self._query_heads(), self._key_heads()
        values = torch.arange(self.new.head_size) % old
        yield from make.linear(f"{source}q_proj", f"{name}q_proj", within_heads(queries, old, dims.copies), hidden)
        yield from make.linear(f"{source}k_proj", f"{name}k_proj", within_heads(keys, old, dims.copies), hidden)
        yield from make.linear(f"{source}v_proj", f"{name}v_proj", within_heads(keys, old, values), hidden)
        read = Copies(within_heads(queries, old, values))
        yield from make.linear(f"{source}o_proj", f"{name}o_proj", hidden.of, read)
        yield from make.gathered(f"{source}q_norm", f"{name}q_norm", dims.copies, dims.gain)
        yield from make.gathered(f"{source}k_norm", f"{name}k_norm", dims.copies)

    @property
    def _dims(self) -> HeadDims:
        return HeadDims(self.new.head_size, self.old["head_dim"], HALVES)

    def _key_heads(self) -> Tensor:
        return torch.arange(self.new.key_heads) % int(self.old["num_key_value_heads"])

    def _query_heads(self) -> Tensor:
        """A new key head's query heads are copies of those of the old key head."""
        group = self.new.heads // self.new.key_heads
        old_group = int(self.old["num_attention_heads"]) // int(self.old["num_key_value_heads"])
        heads = torch.arange(self.new.heads)
        return self._key_heads()[heads // group] * old_group + heads % group % old_group

    def _silent(self, name: str) -> Iterator[NewTensor]:
        """A layer with random insides that adds nothing to what passes it."""
        make, new = self.make, self.new
        queries, keys = new.heads * new.head_size, new.key_heads * new.head_size
        for norm in ("input_layernorm", "post_attention_layernorm"):
            yield make.full(f"{name}{norm}.weight", 1.0, new.hidden)
        for norm in ("q_norm", "k_norm"):
            yield make.full(f"{name}self_attn.{norm}.weight", 1.0, new.head_size)
        for layer, rows in (("q_proj", queries), ("k_proj", keys), ("v_proj", keys)):
            yield make.random(f"{name}self_attn.{layer}.weight", rows, new.hidden)
        yield make.full(f"{name}self_attn.o_proj.weight", 0.0, new.hidden, queries)
        for layer in ("gate_proj", "up_proj"):
            yield make.random(f"{name}mlp.{layer}.weight", new.intermediate, new.hidden)
        yield make.full(f"{name}mlp.down_proj.weight", 0.0, new.hidden, new.intermediate)
