"""Shardings that StableHLO carries (the dialect sdy, as JAX writes it) become those of ds, and go into the manifest.

    sdy.mesh @mesh = <["tp"=4, "dp"=2]>                                ->  "mesh": {"dp": 2, "tp": 4}, the axis of the batch first
    %x {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {}]>}             ->  "sharding": [["dp"], []]
    sdy.sharding_constraint %h <@mesh, [{"dp"}, {"tp"}]>               ->  a call of ds.sharding_constraint, which marks.py makes an operation

What the manifest says already goes before what the module says. The rank of a number is nobody's business but ds-run's, so that the
order of axes is free; the first axis of ds divides the batch.
"""
import re

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy

from . import builder, marks
from .errors import FrontendError
from .leftovers import where

CARRIED = ("param", "state")


class Mark:
    """A sharding: the axes of each dimension, which of them it leaves open, and whether it says anything."""

    def __init__(self, sharding, at):
        self.mesh = sharding.mesh_or_ref
        self.axes, self.open = [], []
        for dim in map(sdy.DimensionShardingAttr, sharding.dimension_shardings):
            axes = [sdy.AxisRefAttr(axis) for axis in dim.axes]
            part = next((axis for axis in axes if axis.sub_axis_info), None)
            if part:
                raise FrontendError(f"{at} is divided over a part of the axis '{part.name}', expected whole axes; name its parts as axes of the mesh")
            self.axes.append([axis.name for axis in axes])
            self.open.append(not dim.is_closed)
        partial = [sdy.AxisRefAttr(axis).name for axis in sharding.unreduced_axes]
        if partial:
            raise FrontendError(f"{at} is left unreduced over '{partial[0]}', expected a sharding of complete values; ds finds by itself what to combine later")
        self.says = not all(self.open) or any(self.axes) or bool(list(sharding.replicated_axes))
        if list(sharding.replicated_axes):
            self.open = []  # not to these, and a mark of ds closes a dimension to all or none


def written(axes, is_open=()):
    """[{"dp"}, {?}], as ds and sdy write it."""
    dims = [[f'"{axis}"' for axis in dim] for dim in axes]
    for dim, more in zip(dims, is_open):
        dim += ["?"] * more
    return f"[{', '.join('{' + ', '.join(dim) + '}' for dim in dims)}]"


def mesh_text(mesh):
    return ",".join(f"{name}={size}" for name, size in mesh.items())


def led(mesh, axis=None):
    """The mesh with the axis of the batch first; without one, that is an axis of one rank."""
    axis = axis or next(name for name in ("dp", "batch", "samples", "batch_") if name not in mesh)
    return {axis: mesh.get(axis, 1)} | mesh


def meshes_of(module):
    """{symbol: {axis: size}} of the meshes with axes; one without is a single device, over which nothing is divided."""
    found = {}
    for op in [op for op in module.body.operations if op.operation.name == "sdy.mesh"]:
        axes = map(sdy.MeshAxisAttr, sdy.MeshAttr(op.attributes["mesh"]).axes)
        found[op.attributes["sym_name"].value] = {axis.name: axis.size for axis in axes}
    return {symbol: mesh for symbol, mesh in found.items() if mesh}


class Reader:
    """One module's shardings."""

    def __init__(self, module, entry, manifest):
        self.module, self.entry, self.manifest = module, entry, manifest
        self.functions = {op.attributes["sym_name"].value: op.operation for op in module.body.operations if op.operation.name == "func.func"}
        self.meshes, self.given = meshes_of(module), manifest.get("mesh")

    def run(self):
        for op in builder.operations(self.module.operation):
            if op.name == "sdy.manual_computation":
                raise FrontendError(f"the step divides values itself by shard_map ({where(op, self.module)}), expected a step of whole arrays with shardings; "
                                    "jax.lax.with_sharding_constraint says how a value is divided")
        self.arguments()
        self.results()
        named = self.constraints()
        mesh = self.mesh()
        if mesh:
            self.manifest["mesh"] = self.order(mesh, named)
        self.clear()

    def mark(self, attribute, at):
        """The mark of an attribute; None if it divides nothing and leaves everything open, or is of a single device."""
        mark = Mark(sdy.TensorShardingAttr(attribute), at)
        symbol = re.match(r"@(\S+)", str(mark.mesh))
        return mark if mark.says and symbol and symbol[1].strip('"') in self.meshes else None

    def attribute(self, kind, position, at):
        """That of an argument or result of the step."""
        given = self.entry.attributes[kind][position] if kind in self.entry.attributes else {}
        return self.mark(given["sdy.sharding"], at) if "sdy.sharding" in given else None

    def called(self, call):
        return self.functions[ir.FlatSymbolRefAttr(call.attributes["callee"]).value].regions[0].blocks[0]

    def taken(self, value, at):
        """The constraint that is all that happens to an argument: what in_shardings of a jitted function are."""
        uses = list(value.uses)
        if len(uses) != 1:
            return None
        op = uses[0].owner.operation
        if op.name == "sdy.sharding_constraint":
            return self.mark(op.attributes["sharding"], at)
        return self.taken(self.called(op).arguments[uses[0].operand_number], at) if op.name == "func.call" else None

    def made(self, value, at):
        """The constraint that a result comes from: what out_shardings of a jitted function are."""
        if isinstance(value.owner, ir.Block):
            return None
        op = value.owner
        if op.name == "sdy.sharding_constraint":
            return self.mark(op.attributes["sharding"], at)
        if op.name != "func.call":
            return None
        position = next(i for i, result in enumerate(op.results) if result == value)
        return self.made(list(self.called(op).operations)[-1].operands[position], at)

    def arguments(self):
        for position, (described, value) in enumerate(zip(self.manifest["args"], self.entry.regions[0].blocks[0].arguments)):
            at = f"'{described['name']}'"
            found = self.attribute("arg_attrs", position, at) or self.taken(value, at)
            if found and "sharding" not in described:
                described["sharding"] = found.axes

    def results(self):
        """What a step hands on is sharded as it was taken."""
        returned = list(list(self.entry.regions[0].blocks[0].operations)[-1].operands)
        carried = {a["name"]: a for a in self.manifest["args"] if a["role"] in CARRIED}
        for position, (described, value) in enumerate(zip(self.manifest["results"], returned)):
            name = described["role"].partition(":")[2]
            at = f"the new value of '{name}'"
            found = self.attribute("res_attrs", position, at) or self.made(value, at)
            if not found or not described["role"].startswith("updates:"):
                continue
            if carried[name].setdefault("sharding", found.axes) != found.axes:
                raise FrontendError(f"{at} is sharded as {written(found.axes)} and the value that the step takes as {written(carried[name]['sharding'])}, "
                                    "expected the same: the next step takes what this one returns")

    def constraints(self):
        """Rewrites the constraints in the step, and returns the axes that they name, each with the dimensions that it divides."""
        named = set()
        for op in [op for op in builder.operations(self.module.operation) if op.name == "sdy.sharding_constraint"]:
            mark = self.mark(op.attributes["sharding"], f"a value ({where(op, self.module)})")
            if not mark or not mark.axes:
                builder.replace(op, list(op.operands))
                continue
            named |= {(axis, dim) for dim, axes in enumerate(mark.axes) for axis in axes}
            builder.replace(op, [shard(op.operands[0], mark.axes, op, mark.open)])
        return named

    def mesh(self):
        """The one that is given, else the module's; None where the module says nothing."""
        meshes = [self.given] * bool(self.given) + list(self.meshes.values())
        if not meshes and any("sharding" in a for a in self.manifest["args"]):
            raise FrontendError("arguments are divided, but no mesh is given; mesh= gives its axes and their sizes")
        for other in meshes[1:]:
            if not other.items() <= meshes[0].items() or not self.given and other != meshes[0]:
                raise FrontendError(f"shardings are of the meshes {mesh_text(meshes[0])} and {mesh_text(other)}, expected one mesh")
        for axis in meshes[0] if meshes else ():
            if not re.fullmatch(r"\w+", axis):
                raise FrontendError(f"the mesh has an axis '{axis}', expected a name of letters, digits and '_'")
        return meshes[0] if meshes else None

    def order(self, mesh, named):
        """The mesh with the axis of the batch first: one that divides the samples of what is marked. Without marks it is the first one of
        a mesh that is given, or one that divides nothing else; else an axis of one rank."""
        batch = [a for a in self.manifest["args"] if a["role"] == "batch" and "sharding" in a]
        along = [a["sharding"][a.get("dim", 0)] for a in batch]
        first = next(iter(mesh))
        over = [axis for axis in mesh if any(axis in axes for axes in along)]
        if not batch and (self.given or not self.divides(first, named)):
            over = [first]
        over.sort(key=lambda axis: not all(axis in axes for axes in along))
        return led(mesh, over[0] if over else None)

    def divides(self, axis, named):
        """Whether an axis divides a parameter or state, or a value in another dimension than the samples' usual one."""
        return any(axis in axes for a in self.manifest["args"] if a["role"] in CARRIED for axes in a.get("sharding", ())) or any(
            name == axis and dim > 0 for name, dim in named)

    def clear(self):
        """Takes away what is left of sdy, and divides values of arguments that ranks hold whole."""
        for described, value in zip(self.manifest["args"], self.entry.regions[0].blocks[0].arguments):
            axes = described.pop("sharding", None) if described["role"] in ("hyper", "seed") else None
            if axes and described["role"] == "hyper":
                self.divide(value, axes)
        drop(self.module)

    def divide(self, value, axes):
        uses = [(use.owner.operation, use.operand_number) for use in value.uses]
        if uses:
            marked = shard(value, axes, self.entry.regions[0].blocks[0].operations[0].operation)
            for op, number in uses:
                op.operands[number] = marked


def shard(value, axes, before, is_open=()):
    """A call of ds.sharding_constraint on a value; on both parts of a complex one."""
    kind = ir.RankedTensorType(value.type)
    call = lambda of: builder.create(before, "stablehlo.custom_call", [of.type], [of], attributes={
        "call_target_name": ir.StringAttr.get(marks.SHARD), "backend_config": ir.StringAttr.get(written(axes, is_open))}).results[0]
    if not isinstance(kind.element_type, ir.ComplexType):
        return call(value)
    part = ir.RankedTensorType.get(kind.shape, ir.ComplexType(kind.element_type).element_type)
    parts = [call(builder.create(before, f"stablehlo.{name}", [part], [value]).results[0]) for name in ("real", "imag")]
    return builder.create(before, "stablehlo.complex", [kind], parts).results[0]


def read(module, entry, manifest):
    """Adds "mesh" and "sharding" to a manifest and rewrites what the module says of them."""
    if manifest.get("mesh") or any("sharding" in a for a in manifest["args"]) or any(
            op.operation.name == "sdy.mesh" for op in module.body.operations):
        Reader(module, entry, manifest).run()


def drop(module):
    """Takes away all that a module says of shardings."""
    for op in list(builder.operations(module.operation)):
        if op.name == "sdy.mesh":
            op.erase()
            continue
        if op.name == "sdy.sharding_constraint":
            builder.replace(op, list(op.operands))
            continue
        for name in [n for n in op.attributes if n.startswith("sdy.")]:
            del op.attributes[name]
        for kind in ("arg_attrs", "res_attrs"):
            if kind in op.attributes:
                op.attributes[kind] = ir.ArrayAttr.get([ir.DictAttr.get({a.name: a.attr for a in d if not a.name.startswith("sdy.")})
                                                        for d in map(ir.DictAttr, op.attributes[kind])])
