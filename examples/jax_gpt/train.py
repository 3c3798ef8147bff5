#!/usr/bin/env python3
"""Trains a small GPT, letter by letter, on n ranks: a Flax model and an Optax optimizer, run by ds-run.

    python examples/jax_gpt/train.py [--ranks 2] [--epochs 4] [--text FILE..]

Needs the package in python/ (pip install ./python[jax] flax optax) and ds-run on PATH. First the 2-rank program is
compared with the step in JAX, then it trains, then the trained model writes a line. The text is the documentation of
this project.
"""
import argparse
import os
import pathlib

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

import dstep

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
LETTERS = 128  # ASCII; everything else is a question mark


class Block(nn.Module):
    heads: int = 4

    @nn.compact
    def __call__(self, x, mask):
        # No bias in the attention: a key bias has a true gradient of zero, and Adam would amplify its rounding noise.
        x = x + nn.MultiHeadDotProductAttention(num_heads=self.heads, use_bias=False)(nn.LayerNorm()(x), mask=mask)
        return x + nn.Dense(x.shape[-1])(nn.gelu(nn.Dense(4 * x.shape[-1])(nn.LayerNorm()(x))))


class GPT(nn.Module):
    width: int = 64
    layers: int = 2

    @nn.compact
    def __call__(self, tokens):
        embed = nn.Embed(LETTERS, self.width)
        x = embed(tokens) + self.param("position", nn.initializers.normal(0.02), (tokens.shape[1], self.width))
        for _ in range(self.layers):
            x = Block()(x, nn.make_causal_mask(tokens))
        return embed.attend(nn.LayerNorm()(x))  # the embedding is the head, too


model = GPT()
# Of letters that are hardly ever predicted the gradient is of the size of Adam's usual eps, 1e-8, and so is its
# rounding.
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(3e-3, eps=1e-6))


@jax.jit
def step(params, opt_state, batch):
    def loss_of(params):
        return optax.softmax_cross_entropy_with_integer_labels(model.apply(params, batch["tokens"]),
                                                               batch["targets"]).mean()

    loss, grads = jax.value_and_grad(loss_of)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, {"loss": loss}


def windows(paths, length, limit):
    """The text in windows of `length` letters: {tokens, targets}, where a target is the letter after its token."""
    text = "\n".join(path.read_text() for path in paths).encode("ascii", "replace")
    letters = np.frombuffer(text, np.uint8).astype(np.int32)
    count = min((len(letters) - 1) // length, limit or len(letters))
    return {"tokens": letters[:count * length].reshape(count, length),
            "targets": letters[1:count * length + 1].reshape(count, length)}


def compare(parallel, params, opt_state, batches):
    """The largest difference between parameters after the same steps in JAX and on n ranks."""
    results = parallel.run([(params, opt_state, batch) for batch in batches])
    for batch, result in zip(batches, results):
        params, opt_state, metrics = step(params, opt_state, batch)
        print(f"  loss {float(metrics['loss']):.6f} in JAX, {float(result[2]['loss']):.6f} on {parallel.runner.ranks} "
              "ranks")
    difference = jax.tree.map(lambda a, b: float(jnp.abs(a - b).max()), params, results[-1][0])
    return max(jax.tree.leaves(difference))


def write(params, start, length, count=80):
    """The letters that the model finds most likely after `start`."""
    text = start
    for _ in range(count):
        last = text[-length:]
        tokens = jnp.array([[ord(c) for c in last.rjust(length)]])
        text += chr(int(model.apply(params, tokens)[0, -1].argmax()))
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=2, help="threads that train together (default 2)")
    parser.add_argument("--epochs", type=int, default=4, help="passes over the text (default 4)")
    parser.add_argument("--batch", type=int, default=16, help="windows of one step, of all ranks together (default 16)")
    parser.add_argument("--length", type=int, default=64, help="letters of a window (default 64)")
    parser.add_argument("--windows", type=int, default=0, help="use this many windows only (default all)")
    parser.add_argument("--compare", type=int, default=5, help="steps that are compared with JAX first (default 5)")
    parser.add_argument("--text", type=pathlib.Path, nargs="+", default=sorted(DOCS.rglob("*.md")),
                        help="files to learn from")
    options = parser.parse_args()

    data = windows(options.text, options.length, options.windows)
    batches = [{name: rows[k * options.batch:(k + 1) * options.batch] for name, rows in data.items()}
               for k in range(max(1, options.compare))]
    params = model.init(jax.random.key(0), batches[0]["tokens"])
    opt_state = optimizer.init(params)
    print(f"{len(data['tokens'])} windows of {options.length} letters, {sum(p.size for p in jax.tree.leaves(params))} "
          "parameters")

    parallel = dstep.jax.data_parallel(step, ranks=options.ranks, params=0, state=1, batch=2)
    print(f"comparing {len(batches)} steps")
    print(f"largest difference of a parameter: {compare(parallel, params, opt_state, batches):.1e}")
    params, opt_state, epochs = parallel.fit(params, opt_state, batches[0], data=data, epochs=options.epochs)
    for number, metrics in enumerate(epochs, 1):
        print(f"epoch {number}: loss {metrics['loss']:.4f}")
    print("it writes: " + write(params, "The step ", options.length).replace("\n", " "))


if __name__ == "__main__":
    main()
