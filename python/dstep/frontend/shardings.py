"""Shardings that StableHLO carries (the dialect sdy, as JAX writes it) become those of ds, and go into the manifest.

    sdy.mesh @mesh = <["tp"=4, "dp"=2]>                                ->  "mesh": {"dp": 2, "tp": 4}, the axis of the
                                                                       batch first
    %x {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {}]>}             ->  "sharding": [["dp"], []]
    sdy.sharding_constraint %h <@mesh, [{"dp"}, {"tp"}]>               ->  a call of ds.sharding_constraint, which
                                                                       marks.py makes an operation

The manifest's own entries take precedence over the module's. Rank numbers are internal to ds-run, so the order of axes
is free; the first axis of ds shards the batch.
"""
import re

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy

from ..base.errors import FrontendError
from .ir import builder, marks
from .ir.leftovers import where

CARRIED = ("param", "state")


class Mark:
    """A sharding: the axes of each dimension, which dimensions are open, and whether it constrains any."""

    def __init__(self, sharding, at):
        self.mesh = sharding.mesh_or_ref
        self.axes, self.open = [], []
        for dim in map(sdy.DimensionShardingAttr, sharding.dimension_shardings):
            axes = [sdy.AxisRefAttr(axis) for axis in dim.axes]
            part = next((axis for axis in axes if axis.sub_axis_info), None)
            if part:
                raise FrontendError(f"{at} is divided over a part of the axis '{part.name}', expected whole axes; name "
                                    "its parts as axes of the mesh")
            self.axes.append([axis.name for axis in axes])
            self.open.append(not dim.is_closed)
        partial = [sdy.AxisRefAttr(axis).name for axis in sharding.unreduced_axes]
        if partial:
            raise FrontendError(f"{at} is left unreduced over '{partial[0]}', expected a sharding of complete values; "
                                "ds finds by itself what to combine later")
        self.says = not all(self.open) or any(self.axes) or bool(list(sharding.replicated_axes))
        if list(sharding.replicated_axes):
            # A replicated axis must not shard the value later; ds can close a dimension only to all axes.
            self.open = []


def written(axes, is_open=()):
    """Returns [{"dp"}, {?}] in the syntax of ds and sdy."""
    dims = [[f'"{axis}"' for axis in dim] for dim in axes]
    for dim, more in zip(dims, is_open):
        dim += ["?"] * more
    return f"[{', '.join('{' + ', '.join(dim) + '}' for dim in dims)}]"


def mesh_text(mesh):
    return ",".join(f"{name}={size}" for name, size in mesh.items())


def with_batch_axis(mesh, axis=None):
    """Returns the mesh with the axis of the batch first; without one, that is an axis of one rank."""
    axis = axis or next(name for name in ("dp", "batch", "samples", "batch_") if name not in mesh)
    return {axis: mesh.get(axis, 1)} | mesh


def meshes_of(module):
    """Returns {symbol: {axis: size}} of the meshes with axes; one without axes is a single device, over which nothing
    is sharded."""
    found = {}
    for op in [op for op in module.body.operations if op.operation.name == "sdy.mesh"]:
        axes = map(sdy.MeshAxisAttr, sdy.MeshAttr(op.attributes["mesh"]).axes)
        found[op.attributes["sym_name"].value] = {axis.name: axis.size for axis in axes}
    return {symbol: mesh for symbol, mesh in found.items() if mesh}


class Reader:
    """Reads the shardings of one module."""

    def __init__(self, module, entry, manifest):
        self.module, self.entry, self.manifest = module, entry, manifest
        self.functions = {op.attributes["sym_name"].value: op.operation
                          for op in module.body.operations if op.operation.name == "func.func"}
        self.meshes, self.given = meshes_of(module), manifest.get("mesh")

    def run(self):
        for op in builder.operations(self.module.operation):
            if op.name == "sdy.manual_computation":
                raise FrontendError(f"the step divides values itself by shard_map ({where(op, self.module)}), expected "
                                    "a step of whole arrays with shardings; jax.lax.with_sharding_constraint sets how "
                                    "a value is divided")
        self.arguments()
        self.results()
        named = self.constraints()
        mesh = self.mesh()
        if mesh:
            self.manifest["mesh"] = self.order(mesh, named)
        self.clear()

    def mark(self, attribute, at):
        """Returns the sharding of an attribute; None if it constrains nothing, or is of a single device."""
        mark = Mark(sdy.TensorShardingAttr(attribute), at)
        symbol = re.match(r"@(\S+)", str(mark.mesh))
        return mark if mark.says and symbol and symbol[1].strip('"') in self.meshes else None

    def attribute(self, kind, position, at):
        """Returns the sharding of an argument or result of the step."""
        given = self.entry.attributes[kind][position] if kind in self.entry.attributes else {}
        return self.mark(given["sdy.sharding"], at) if "sdy.sharding" in given else None

    def called(self, call):
        return self.functions[ir.FlatSymbolRefAttr(call.attributes["callee"]).value].regions[0].blocks[0]

    def find_argument_constraint(self, value, at):
        """Returns the constraint that is the only use of an argument: that is how in_shardings of a jitted function
        appear."""
        uses = list(value.uses)
        if len(uses) != 1:
            return None
        op = uses[0].owner.operation
        if op.name == "sdy.sharding_constraint":
            return self.mark(op.attributes["sharding"], at)
        if op.name != "func.call":
            return None
        return self.find_argument_constraint(self.called(op).arguments[uses[0].operand_number], at)

    def find_result_constraint(self, value, at):
        """Returns the constraint that a result comes from: that is how out_shardings of a jitted function appear."""
        if isinstance(value.owner, ir.Block):
            return None
        op = value.owner
        if op.name == "sdy.sharding_constraint":
            return self.mark(op.attributes["sharding"], at)
        if op.name != "func.call":
            return None
        position = next(i for i, result in enumerate(op.results) if result == value)
        return self.find_result_constraint(list(self.called(op).operations)[-1].operands[position], at)

    def arguments(self):
        for position, (described, value) in enumerate(zip(self.manifest["args"],
                                                          self.entry.regions[0].blocks[0].arguments)):
            at = f"'{described['name']}'"
            found = self.attribute("arg_attrs", position, at) or self.find_argument_constraint(value, at)
            if found and "sharding" not in described:
                described["sharding"] = found.axes

    def results(self):
        """Reads the shardings of results; the new value of an argument must be sharded like the argument."""
        returned = list(list(self.entry.regions[0].blocks[0].operations)[-1].operands)
        carried = {a["name"]: a for a in self.manifest["args"] if a["role"] in CARRIED}
        for position, (described, value) in enumerate(zip(self.manifest["results"], returned)):
            name = described["role"].partition(":")[2]
            at = f"the new value of '{name}'"
            found = self.attribute("res_attrs", position, at) or self.find_result_constraint(value, at)
            if not found or not described["role"].startswith("updates:"):
                continue
            if carried[name].setdefault("sharding", found.axes) != found.axes:
                raise FrontendError(f"{at} is sharded as {written(found.axes)} and the value that the step takes as "
                                    f"{written(carried[name]['sharding'])}, expected the same: the next step takes "
                                    "what this one returns")

    def constraints(self):
        """Rewrites the constraints in the step, and returns the axes that they name, each with the dimensions that it
        shards."""
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
        """Returns the given mesh, else the module's; None if there is none."""
        meshes = [self.given] * bool(self.given) + list(self.meshes.values())
        if not meshes and any("sharding" in a for a in self.manifest["args"]):
            raise FrontendError("arguments are divided, but no mesh is given; mesh= gives its axes and their sizes")
        for other in meshes[1:]:
            if not other.items() <= meshes[0].items() or not self.given and other != meshes[0]:
                raise FrontendError(f"shardings are of the meshes {mesh_text(meshes[0])} and {mesh_text(other)}, "
                                    "expected one mesh")
        for axis in meshes[0] if meshes else ():
            if not re.fullmatch(r"\w+", axis):
                raise FrontendError(f"the mesh has an axis '{axis}', expected a name of letters, digits and '_'")
        return meshes[0] if meshes else None

    def order(self, mesh, named):
        """Returns the mesh with the axis of the batch first: one that shards the samples of annotated arguments.
        Without annotations it is the first axis of a given mesh, or a first axis that shards nothing else; else an axis
        of one rank."""
        batch = [a for a in self.manifest["args"] if a["role"] == "batch" and "sharding" in a]
        along = [a["sharding"][a.get("dim", 0)] for a in batch]
        first = next(iter(mesh))
        over = [axis for axis in mesh if any(axis in axes for axes in along)]
        if not batch and (self.given or not self.divides(first, named)):
            over = [first]
        over.sort(key=lambda axis: not all(axis in axes for axes in along))
        return with_batch_axis(mesh, over[0] if over else None)

    def divides(self, axis, named):
        """True if an axis shards a parameter or state, or a value in another dimension than the usual one of
        samples."""
        return any(axis in axes for a in self.manifest["args"] if a["role"] in CARRIED
                   for axes in a.get("sharding", ())) or any(
            name == axis and dim > 0 for name, dim in named)

    def clear(self):
        """Removes the rest of sdy, and adds sharding constraints for arguments that ranks hold replicated."""
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
    """Returns a call of ds.sharding_constraint on a value; on both parts of a complex one."""
    kind = ir.RankedTensorType(value.type)
    call = lambda of: builder.create(before, "stablehlo.custom_call", [of.type], [of], attributes={
        "call_target_name": ir.StringAttr.get(marks.SHARD),
        "backend_config": ir.StringAttr.get(written(axes, is_open))}).results[0]
    if not isinstance(kind.element_type, ir.ComplexType):
        return call(value)
    part = ir.RankedTensorType.get(kind.shape, ir.ComplexType(kind.element_type).element_type)
    parts = [call(builder.create(before, f"stablehlo.{name}", [part], [value]).results[0]) for name in ("real", "imag")]
    return builder.create(before, "stablehlo.complex", [kind], parts).results[0]


def read(module, manifest):
    """Adds "mesh" and "sharding" to a manifest, and rewrites the module's shardings."""
    if manifest.get("mesh") or any("sharding" in a for a in manifest["args"]) or any(
            op.operation.name == "sdy.mesh" for op in module.body.operations):
        Reader(module, builder.function(module, manifest.get("entry", "main")), manifest).run()


def drop(module):
    """Removes all shardings from a module."""
    for op in builder.operations(module.operation):
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
                op.attributes[kind] = ir.ArrayAttr.get([ir.DictAttr.get({a.name: a.attr
                                                                         for a in d if not a.name.startswith("sdy.")})
                                                        for d in map(ir.DictAttr, op.attributes[kind])])
