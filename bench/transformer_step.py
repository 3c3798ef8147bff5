#!/usr/bin/env python3
"""Writes a training step of a transformer with any number of layers, without JAX: attention, MLP, layer norms, a
softmax loss, the backward pass and Adam, unrolled. 48 layers are some ten thousand operations, 480 a hundred thousand.

    bench/transformer_step.py --layers 48 > step.mlir

The forward pass is recorded on a tape, and each of its operations knows how to write its gradient, so that nothing but
the standard library is needed. Every dimension is a letter: b samples, t and s positions, d width, k all heads, h
heads, w width of a head, f width in between, v words.
"""
import argparse
import string
import sys

ADAM = {"rate": 1e-3, "first": 0.9, "second": 0.999, "small": 1e-8}


def number(value):
    """As MLIR reads it: with a point."""
    return f"{value:.9e}"


class Writer:
    """The text of a function, operation by operation. A tensor is its name and its letters."""

    def __init__(self, sizes):
        self.sizes, self.lines, self.number, self.shared, self.tape = sizes, [], 0, {}, []

    def type(self, letters, element="f32"):
        return "tensor<" + "".join(f"{self.sizes[letter]}x" for letter in letters) + element + ">"

    def fresh(self):
        self.number += 1
        return f"%{self.number}"

    def once(self, key, line):
        """A value that many read: it is written where it is first wanted."""
        if key not in self.shared:
            self.shared[key] = self.fresh()
            self.lines.append(f"{self.shared[key]} = {line}")
        return self.shared[key]

    def start(self, letters, value):
        """What a reduction begins with."""
        number = self.once(value, f"arith.constant {value} : f32")
        empty = self.empty(letters)
        return self.once((letters, value), f"linalg.fill ins({number} : f32) outs({empty} : {self.type(letters)}) -> "
                         f"{self.type(letters)}")

    def empty(self, letters):
        return self.once((letters, "empty"), f"tensor.empty() : {self.type(letters)}")

    def generic(self, inputs, out, init, body):
        """`body` are lines on %a, %b, .. for the inputs and %out; the last name that it makes is the result."""
        loops = out + "".join(sorted({letter for _, letters, *_ in inputs for letter in letters} - set(out)))
        maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(letters)})>"
                         for letters in [i[1] for i in inputs] + [out])
        kinds = ", ".join('"parallel"' if letter in out else '"reduction"' for letter in loops)
        elements = [i[2] if len(i) > 2 else "f32" for i in inputs]
        names = [f"%{letter}" for letter in string.ascii_lowercase[:len(inputs)]]
        ends = body[-1].split(" = ")[0]
        name = self.fresh()
        self.lines.append(
            f"{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins({', '.join(i[0] for i in inputs)} : "
            f"{', '.join(self.type(i[1], e) for i, e in zip(inputs, elements))}) outs({init} : {self.type(out)}) {{\n  "
            f"  ^bb0({', '.join(f'{n}: {e}' for n, e in zip(names, elements))}, %out: f32):\n      "
            + "\n      ".join(body) + f"\n      linalg.yield {ends} : f32\n    }} -> {self.type(out)}")
        return name, out

    def map(self, out, inputs, body):
        return self.generic(inputs, out, self.empty(out), body)

    def contract(self, out, x, y):
        return self.generic([x, y], out, self.start(out, "0.0"),
                            ["%p = arith.mulf %a, %b : f32", "%r = arith.addf %out, %p : f32"])

    def reduce(self, out, x, combine="arith.addf", start="0.0"):
        return self.generic([x], out, self.start(out, start), [f"%r = {combine} %out, %a : f32"])

    def reshape(self, x, out, groups):
        verb = "expand" if len(out) > len(x[1]) else "collapse"
        name, text = self.fresh(), "[" + ", ".join(f"[{', '.join(map(str, group))}]" for group in groups) + "]"
        shape = f" output_shape [{', '.join(str(self.sizes[letter]) for letter in out)}]" if verb == "expand" else ""
        self.lines.append(f"{name} = tensor.{verb}_shape {x[0]} {text}{shape} : {self.type(x[1])} into "
                          f"{self.type(out)}")
        return name, out


class Tape(Writer):
    """Operations that are differentiated: each records how the gradient of its result becomes those of what it read."""

    def record(self, result, back):
        self.tape.append((result, back))
        return result

    def backward(self, gradients):
        """`gradients`: by name, of what the loss has been made of. Afterwards of all."""
        def add(x, gradient):
            known = gradients.get(x[0])
            gradients[x[0]] = gradient if known is None else self.map(x[1], [known, gradient],
                                                                      ["%r = arith.addf %a, %b : f32"])
        for result, back in reversed(self.tape):
            if result[0] in gradients:
                back(gradients[result[0]], add)
        return gradients

    def dense(self, x, weight, bias, out):
        product = self.contract(out, x, weight)
        result = self.map(out, [product, bias], ["%r = arith.addf %a, %b : f32"])

        def back(gradient, add):
            add(x, self.contract(x[1], gradient, weight))
            add(weight, self.contract(weight[1], x, gradient))
            add(bias, self.reduce(bias[1], gradient))
        return self.record(result, back)

    def multiply(self, out, x, y):
        def back(gradient, add):
            add(x, self.contract(x[1], gradient, y))
            add(y, self.contract(y[1], gradient, x))
        return self.record(self.contract(out, x, y), back)

    def add(self, x, y):
        def back(gradient, add):
            add(x, gradient)
            add(y, gradient)
        return self.record(self.map(x[1], [x, y], ["%r = arith.addf %a, %b : f32"]), back)

    def norm(self, x, scale, shift):
        letters, rows, width = x[1], x[1][:-1], float(self.sizes[x[1][-1]])
        mean = self.reduce(rows, x)
        centred = self.map(letters, [x, mean], [f"%n = arith.constant {number(width)} : f32", "%m = arith.divf %b, %n "
                                                ": f32", "%r = arith.subf %a, %m : f32"])
        squares = self.map(letters, [centred], ["%r = arith.mulf %a, %a : f32"])
        deviation = self.map(rows, [self.reduce(rows, squares)], [
            f"%n = arith.constant {number(width)} : f32", "%small = arith.constant 1.0e-5 : f32",
            "%v = arith.divf %a, %n : f32",
            "%s = arith.addf %v, %small : f32", "%r = math.rsqrt %s : f32"])
        normal = self.map(letters, [centred, deviation], ["%r = arith.mulf %a, %b : f32"])
        scaled = self.map(letters, [normal, scale], ["%r = arith.mulf %a, %b : f32"])

        def back(gradient, add):
            add(shift, self.reduce(shift[1], gradient))
            add(scale, self.reduce(scale[1], self.map(letters, [gradient, normal], ["%r = arith.mulf %a, %b : f32"])))
            inner = self.map(letters, [gradient, scale], ["%r = arith.mulf %a, %b : f32"])
            along = self.reduce(rows, self.map(letters, [inner, normal], ["%r = arith.mulf %a, %b : f32"]))
            add(x, self.map(letters, [inner, self.reduce(rows, inner), along, normal, deviation], [
                f"%n = arith.constant {number(width)} : f32", "%m = arith.divf %b, %n : f32",
                "%o = arith.divf %c, %n : f32", "%p = arith.mulf %o, %d : f32",
                "%q = arith.subf %a, %m : f32", "%s = arith.subf %q, %p : f32", "%r = arith.mulf %s, %e : f32"]))
        return self.record(self.map(letters, [scaled, shift], ["%r = arith.addf %a, %b : f32"]), back)

    def softmax(self, x):
        letters, rows = x[1], x[1][:-1]
        greatest = self.reduce(rows, x, "arith.maximumf", "0xFF800000")
        shifted = self.map(letters, [x, greatest], ["%r = arith.subf %a, %b : f32"])
        powers = self.map(letters, [shifted], ["%r = math.exp %a : f32"])
        result = self.map(letters, [powers, self.reduce(rows, powers)], ["%r = arith.divf %a, %b : f32"])

        def back(gradient, add):
            along = self.reduce(rows, self.map(letters, [gradient, result], ["%r = arith.mulf %a, %b : f32"]))
            add(x, self.map(letters, [gradient, along, result],
                            ["%p = arith.subf %a, %b : f32", "%r = arith.mulf %p, %c : f32"]))
        return self.record(result, back)

    def gelu(self, x):
        """By the logistic function: x / (1 + exp(-1.702 x))."""
        body = ["%one = arith.constant 1.0 : f32", "%slope = arith.constant -1.702 : f32",
                "%s = arith.mulf %a, %slope : f32",
                "%p = math.exp %s : f32", "%q = arith.addf %p, %one : f32"]
        result = self.map(x[1], [x], body + ["%r = arith.divf %a, %q : f32"])

        def back(gradient, add):
            add(x, self.map(x[1], [x, gradient], body + [
                "%g = arith.divf %one, %q : f32", "%t = arith.subf %one, %g : f32", "%u = arith.mulf %s, %t : f32",
                "%v = arith.subf %one, %u : f32", "%w = arith.mulf %v, %g : f32", "%r = arith.mulf %w, %b : f32"]))
        return self.record(result, back)

    def causal(self, x, width):
        """Scores of later positions count nothing; the others are divided by the root of the width of a head."""
        keep = ["%i = linalg.index 2 : index", "%j = linalg.index 3 : index", "%later = arith.cmpi ugt, %j, %i : index",
                f"%factor = arith.constant {number(width ** -0.5)} : f32", "%p = arith.mulf %a, %factor : f32"]

        def back(gradient, add):
            add(x, self.map(x[1], [gradient], keep + ["%zero = arith.constant 0.0 : f32", "%r = arith.select %later, "
                                                      "%zero, %p : f32"]))
        return self.record(self.map(x[1], [x], keep + ["%none = arith.constant -1.0e30 : f32", "%r = arith.select "
                                                       "%later, %none, %p : f32"]), back)

    def split(self, x, letters, out):
        """Heads, and then the letters in the order of `out`."""
        wide = self.reshape(x, letters, [[0], [1], [2, 3]])

        def back(gradient, add):
            turned = self.map(letters, [gradient], ["%z = arith.constant -0.0 : f32", "%r = arith.addf %a, %z : f32"])
            add(x, self.reshape(turned, x[1], [[0], [1], [2, 3]]))
        return self.record(self.map(out, [wide], ["%z = arith.constant -0.0 : f32", "%r = arith.addf %a, %z : f32"]),
                           back)

    def merge(self, x, letters, out):
        turned = self.map(letters, [x], ["%z = arith.constant -0.0 : f32", "%r = arith.addf %a, %z : f32"])

        def back(gradient, add):
            wide = self.reshape(gradient, letters, [[0], [1], [2, 3]])
            add(x, self.map(x[1], [wide], ["%z = arith.constant -0.0 : f32", "%r = arith.addf %a, %z : f32"]))
        return self.record(self.reshape(turned, out, [[0], [1], [2, 3]]), back)


def parameters_of(layers):
    """Names with their letters."""
    found = {}
    for i in range(layers):
        for name in ("q", "k", "v", "proj"):
            found[f"layer{i}.{name}.kernel"] = "kd" if name == "proj" else "dk"
            found[f"layer{i}.{name}.bias"] = "d" if name == "proj" else "k"
        found |= {f"layer{i}.up.kernel": "df", f"layer{i}.up.bias": "f", f"layer{i}.down.kernel": "fd",
                  f"layer{i}.down.bias": "d"}
        for name in ("norm1", "norm2"):
            found |= {f"layer{i}.{name}.scale": "d", f"layer{i}.{name}.shift": "d"}
    return found | {"head.kernel": "dv", "head.bias": "v"}


def block(tape, x, of, width):
    normal = tape.norm(x, of("norm1.scale"), of("norm1.shift"))
    query, key, value = (tape.dense(normal, of(f"{name}.kernel"), of(f"{name}.bias"), "btk") for name in "qkv")
    scores = tape.causal(tape.multiply("bhts", tape.split(query, "bthw", "bhtw"), tape.split(key, "bshw", "bhsw")),
                         width)
    mixed = tape.multiply("bhtw", tape.softmax(scores), tape.split(value, "bshw", "bhsw"))
    x = tape.add(x, tape.dense(tape.merge(mixed, "bthw", "btk"), of("proj.kernel"), of("proj.bias"), "btd"))
    inner = tape.gelu(tape.dense(tape.norm(x, of("norm2.scale"), of("norm2.shift")), of("up.kernel"), of("up.bias"),
                                 "btf"))
    return tape.add(x, tape.dense(inner, of("down.kernel"), of("down.bias"), "btd"))


def adam(tape, value, first, second, gradient):
    """The new parameter and its new states."""
    letters = value[1]

    def mixed(old, new, rate):
        return tape.map(letters, [old, new], [f"%f = arith.constant {number(rate)} : f32",
                                              f"%g = arith.constant {number(1 - rate)} : f32",
                                              "%o = arith.mulf %a, %f : f32", "%n = arith.mulf %b, %g : f32",
                                              "%r = arith.addf %o, %n : f32"])
    first = mixed(first, gradient, ADAM["first"])
    second = mixed(second, tape.map(letters, [gradient], ["%r = arith.mulf %a, %a : f32"]), ADAM["second"])
    root = tape.map(letters, [second], [f"%small = arith.constant {number(ADAM['small'])} : f32",
                                        "%s = math.sqrt %a : f32", "%r = arith.addf %s, %small : f32"])
    step = tape.map(letters, [first, root], ["%r = arith.divf %a, %b : f32"])
    value = tape.map(letters, [value, step], [f"%rate = arith.constant {number(ADAM['rate'])} : f32",
                                              "%s = arith.mulf %b, %rate : f32",
                                              "%r = arith.subf %a, %s : f32"])
    return value, first, second


def write_step(layers, batch=8, length=512, width=1024, heads=16, inner=4096, words=32768):
    """The text of the step."""
    sizes = {"b": batch, "t": length, "s": length, "d": width, "k": width, "h": heads, "w": width // heads, "f": inner,
             "v": words}
    tape = Tape(sizes)
    letters = parameters_of(layers)
    roles = [("ds.param", "", "p"), ("ds.state", "mu.", "m"), ("ds.state", "nu.", "n")]
    values = {kind: {name: (f"%{kind}{i}", of) for i, (name, of) in enumerate(letters.items())} for _, _, kind in roles}
    x, labels = ("%x", "btd"), ("%y", "bt", "i32")
    hidden = x
    for i in range(layers):
        hidden = block(tape, hidden, lambda name, i=i: values["p"][f"layer{i}.{name}"], width // heads)
    logits = tape.dense(hidden, values["p"]["head.kernel"], values["p"]["head.bias"], "btv")
    chances = tape.softmax(logits)
    one_hot = ["%i = linalg.index 2 : index", "%w = arith.index_cast %i : index to i32", "%same = arith.cmpi eq, %w, "
               "%b : i32",
               "%zero = arith.constant 0.0 : f32", f"%share = arith.constant {number(1 / (batch * length))} : f32"]
    losses = tape.map("btv", [chances, labels], one_hot + ["%l = math.log %a : f32", "%m = arith.mulf %l, %share : f32",
                                                           "%n = arith.negf %m : f32", "%r = arith.select %same, %n, "
                                                           "%zero : f32"])
    loss = tape.reduce("", losses)
    start = tape.map("btv", [chances, labels], one_hot + ["%m = arith.mulf %a, %share : f32", "%n = arith.select "
                                                          "%same, %share, %zero : f32",
                                                          "%r = arith.subf %m, %n : f32"])
    tape.tape.pop()  # the softmax and its loss are differentiated together
    gradients = tape.backward({logits[0]: start})
    new = {name: adam(tape, *(values[kind][name] for kind in "pmn"), gradients[values["p"][name][0]])
           for name in letters}
    arguments = [f'{values[kind][name][0]}: {tape.type(of)} {{{role} = "{prefix}{name}"}}'
                 for role, prefix, kind in roles for name, of in letters.items()]
    arguments += [f"%x: {tape.type('btd')} {{ds.batch = 0 : i64}}", f"%y: {tape.type('bt', 'i32')} {{ds.batch = 0 : "
                  f"i64}}"]
    results = [(new[name][k][0], tape.type(of), f'{{ds.updates = "{prefix}{name}"}}')
               for k, (_, prefix, _) in enumerate(roles)
               for name, of in letters.items()] + [(loss[0], "tensor<f32>", '{ds.metric = "loss"}')]
    return ("func.func @step(" + ",\n    ".join(arguments) + ")\n    -> ("
            + ",\n    ".join(f"{kind} {role}" for _, kind, role in results) + ") {\n    "
            + "\n    ".join(tape.lines) + f"\n    return {', '.join(r[0] for r in results)} : "
            f"{', '.join(r[1] for r in results)}\n}}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, default=2)
    for name, default in (("batch", 8), ("length", 512), ("width", 1024), ("heads", 16), ("inner", 4096),
                          ("words", 32768)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    if options.layers < 1 or options.width % options.heads:
        sys.exit("bench/transformer_step.py: --layers must be at least 1, and --heads must divide --width")
    sys.stdout.write(write_step(**vars(options)))


if __name__ == "__main__":
    main()
