"""Programs of JAX in the form that its plugins get, compiled for ranks of this process.

A program is StableHLO with shardings (sdy) and donated arguments, without roles. An argument donated to a result is a
parameter or a state, another sharded argument is a batch, all others are hyper-parameters. A batch makes a program of
several devices a step of all of them. A program without a batch, or one that ds cannot shard, is computed by one
device, even if its arrays lie on several.
"""
import contextlib
import re

import numpy as np
from jaxlib import xla_client
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import sdy, stablehlo

from ..base import places
from ..base.errors import FrontendError, RunError, marking_samples
from ..frontend import normalise, shardings
from ..frontend.ir import builder
from ..session import native

# The numbers of PJRT's element types.
ELEMENTS = {"i1": 1, "i8": 2, "i16": 3, "i32": 4, "i64": 5, "ui8": 6, "ui16": 7, "ui32": 8, "ui64": 9, "f16": 10,
            "f32": 11, "f64": 12, "bf16": 13}

# An artifact holds composites beside StableHLO, such as chlo.erf_inv, with their decompositions.
CALLS = "builtin.module(func.func(stablehlo-legalize-composite-to-call))"


def fields(data):
    """Yields (number, value) of the fields of a protocol buffer message; a value is a number, or bytes."""
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value
    while at < len(data):
        field, kind = divmod(number(), 8)
        if kind == 0:
            yield field, number()
            continue
        size = {1: 8, 5: 4}.get(kind) or number()
        yield field, data[at:at + size]
        at += size


def assigned_devices(options, count):
    """Returns the devices that a CompileOptionsProto assigns to `count` partitions: executable_build_options (3) has a
    device_assignment (9) with a list of computation_devices (3), each with replica_device_ids (1)."""
    inner = lambda data, field: [value for number, value in fields(data) if number == field
                                 and isinstance(value, bytes)]
    found = [ids for build in inner(options, 3) for assignment in inner(build, 9) for ids in inner(assignment, 3)]
    devices = [value if isinstance(value, int) else value[0] for ids in found
               for number, value in fields(ids) if number == 1]
    return devices if len(devices) == count else list(range(count))


@contextlib.contextmanager
def _module(code):
    with builder.context() as context, ir.Location.unknown():
        module = stablehlo.deserialize_portable_artifact(context, code)
        passmanager.PassManager.parse(CALLS).run(module.operation)
        yield module


def _main(module):
    return next(op.operation for op in module.body.operations if op.operation.name == "func.func"
                and op.attributes["sym_name"].value == "main")


def _argument_names(main):
    """Returns the names of JAX, such as state['w'], which it leaves as locations; the argument's number if a name is
    missing or not unique."""
    found = [re.fullmatch(r'loc\("([^"\\]+)"\)', str(argument.location))
             for argument in main.regions[0].blocks[0].arguments]
    names = [match[1] if match else "" for match in found]
    return [name if name and names.count(name) == 1 else f"argument {i}" for i, name in enumerate(names)]


def _carry(module):
    """Adds an argument that is also a result to a program without updates, which makes it a step."""
    main, number = _main(module), ir.RankedTensorType.get([], ir.F32Type.get())
    block = main.regions[0].blocks[0]
    returned = list(block.operations)[-1].operation
    operands = [*returned.operands, block.add_argument(number, ir.Location.unknown())]
    builder.create(returned, "func.return", [], operands)
    returned.erase()
    kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
    main.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get([*kind.inputs, number],
                                                                           [*kind.results, number]))
    for name in ("arg_attrs", "res_attrs"):
        if name in main.attributes:
            main.attributes[name] = ir.ArrayAttr.get([*main.attributes[name], ir.DictAttr.get({})])


def _is_batch(slot):
    return slot.other is None and slot.offsets is not None


class Slot:
    """An argument or a result: its global shape, and the part of each device."""

    def __init__(self, kind, attributes, meshes, devices):
        kind = ir.RankedTensorType(kind)
        self.whole, self.element = list(kind.shape), str(kind.element_type)
        self.part, self.offsets, self.dim = self.whole, None, None
        self.other, self.is_donated = None, False
        if "tf.aliasing_output" in attributes:
            self.other, self.is_donated = ir.IntegerAttr(attributes["tf.aliasing_output"]).value, True
        elif "jax.buffer_donor" in attributes:
            self.is_donated = True
        if devices > 1 and "sdy.sharding" in attributes:
            self._shard(sdy.TensorShardingAttr(attributes["sdy.sharding"]), meshes, devices)

    def _shard(self, sharding, meshes, devices):
        mesh, order = meshes[str(sharding.mesh_or_ref).lstrip("@").strip('"')]
        axes = []
        for dim in map(sdy.DimensionShardingAttr, sharding.dimension_shardings):
            named = [sdy.AxisRefAttr(axis) for axis in dim.axes]
            if any(axis.sub_axis_info for axis in named):
                raise FrontendError("an array is sharded over a part of an axis of the mesh, expected whole axes; name "
                                    "its parts as axes of the mesh")
            axes.append([axis.name for axis in named])
        if not any(axes):
            return
        self.dim = next(i for i, dim in enumerate(axes) if dim)
        counts = [int(np.prod([mesh[axis] for axis in dim], dtype=np.int64)) for dim in axes]
        self.part = [size // count for size, count in zip(self.whole, counts)]
        places = [np.unravel_index(order.index(device), list(mesh.values())) for device in range(devices)]
        at = [dict(zip(mesh, map(int, place))) for place in places]
        index = lambda where, dim: int(np.ravel_multi_index([where[axis] for axis in dim],
                                                            [mesh[axis] for axis in dim])) if dim else 0
        self.offsets = [[index(where, dim) * size for dim, size in zip(axes, self.part)] for where in at]


    def sharding(self):
        """Returns the sharding as a serialised OpSharding of XLA; replicated if there is none."""
        said = xla_client.OpSharding()
        said.type = xla_client.OpSharding.Type.REPLICATED
        if self.offsets is not None:
            devices = {}
            for device, offsets in enumerate(self.offsets):
                devices.setdefault(tuple(offsets), []).append(device)
            copies = len(self.offsets) // len(devices)
            said.type = xla_client.OpSharding.Type.OTHER
            said.tile_assignment_dimensions = [size // part
                                               for size, part in zip(self.whole, self.part)] + [copies] * (copies > 1)
            said.tile_assignment_devices = [device for offsets in sorted(devices) for device in devices[offsets]]
            said.replicate_on_last_tile_dim = copies > 1
        return said.SerializeToString()


class Compiled:
    """A compiled portable artifact of StableHLO: `address` of an instance, with arguments and results."""

    def __init__(self, code):
        self.context, self.instance, self.address = native.load(), None, None
        self.places: dict[int, str] = {}
        self.warning = None
        with _module(code) as module:
            self._read(module)
        if not self.results:
            return
        if (self.devices > 1 and not any(map(_is_batch, self.arguments))
            or not any(_is_batch(slot) or slot.other is not None for slot in self.arguments)):
            self.instance = self._function(code)
        else:
            try:
                self.instance = self._step_of_samples(code)
            except (RunError, FrontendError) as error:
                self.instance = self._function(code)
                self.warning = (f"'{self.name}' runs on one of {self.devices} devices: {error}" if self.devices > 1
                                else None)
        self.address = self.instance.instance.value

    def _read(self, module):
        found = [op for op in builder.operations(module.operation) if op.name == "sdy.manual_computation"]
        if found:
            raise FrontendError("the program divides values itself by shard_map, expected one of whole arrays with "
                                "shardings")
        attributes = module.operation.attributes
        self.name = attributes["sym_name"].value if "sym_name" in attributes else "main"
        self.devices = (ir.IntegerAttr(attributes["mhlo.num_partitions"]).value if "mhlo.num_partitions" in attributes
                        else 1)
        meshes = {}
        for op in (op.operation for op in module.body.operations):
            if op.name == "sdy.mesh":
                mesh = sdy.MeshAttr(op.attributes["mesh"])
                order = list(mesh.device_ids) or list(range(self.devices))
                meshes[op.attributes["sym_name"].value] = {axis.name: axis.size
                                                           for axis in map(sdy.MeshAxisAttr, mesh.axes)}, order
        main = _main(module)
        self.names = _argument_names(main)
        kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        if any("token" in str(k) for k in (*kind.inputs, *kind.results)):
            raise FrontendError(f"'{self.name}' orders its effects, as jax.debug.print(.., ordered=True) does, "
                                "expected none or ordered=False")
        said = lambda name, kinds: [ir.DictAttr(d)
                                    for d in main.attributes[name]] if name in main.attributes else [{}] * len(kinds)
        self.arguments = [Slot(k, d, meshes, self.devices) for k, d in zip(kind.inputs, said("arg_attrs", kind.inputs))]
        self.results = [Slot(k, d, meshes, self.devices) for k, d in zip(kind.results, said("res_attrs", kind.results))]
        for what, slots in (("argument", self.arguments), ("result", self.results)):
            for i, slot in enumerate(slots):
                if slot.element not in ELEMENTS:
                    why = ("complex numbers: give and take their real and imaginary parts" if "complex" in slot.element
                           else slot.element)
                    which = f"'{self.names[i]}'" if slots is self.arguments else i
                    raise FrontendError(f"{what} {which} of '{self.name}' holds {why}, expected an array of "
                                        f"{', '.join(ELEMENTS)}")
        # Without out_shardings JAX lets the plugin choose the result that takes the place of a donated argument.
        taken = {slot.other for slot in self.arguments}
        for slot in self.arguments:
            if slot.is_donated and slot.other is None:
                like = [k for k, result in enumerate(self.results) if k not in taken
                        and (result.whole, result.element, result.offsets) == (slot.whole, slot.element, slot.offsets)]
                slot.other = like[0] if like else None
                taken.add(slot.other)

    def _step_of_samples(self, code):
        """Compiles the step. A replicated result may hold an entry per sample; ds reports it, and the result is
        marked."""
        def mark(result, dim):
            if self.results[result].dim is not None:
                return False
            self.results[result].dim = 0
            return True

        return marking_samples(lambda: self._step(code), mark)

    def _step(self, code):
        updates = {slot.other: i for i, slot in enumerate(self.arguments) if slot.other is not None}

        def argument(i, slot):
            if slot.other is not None:
                return {"role": "param" if re.match("b?f", slot.element) else "state", "name": self.names[i]}
            return {"role": "batch", "name": self.names[i],
                    "dim": slot.dim} if _is_batch(slot) else {"role": "hyper", "name": self.names[i]}

        def result(k, slot):
            if k in updates:
                return {"role": f"updates:{self.names[updates[k]]}"}
            return {"role": f"metric:result{k}"} if slot.dim is None else {"role": "batch", "name": f"result{k}",
                                                                           "dim": slot.dim}

        described = lambda make, slots: [make(i, slot) | {"shape": slot.whole} for i, slot in enumerate(slots)]
        manifest = {"entry": "main", "args": described(argument, self.arguments),
                    "results": described(result, self.results)}
        with _module(code) as module:
            if not updates:
                manifest["args"].append({"role": "param", "name": "no update"})
                manifest["results"].append({"role": "updates:no update"})
                _carry(module)
            text = module.operation.get_asm(enable_debug_info=True)
        mlir = normalise(text, manifest, self.places)
        config = "batch=global,parallel_mode=semi_auto_parallel" if self.devices > 1 else "batch=global"
        with places.by_export(self):
            return native.Instance(native.Program(mlir, config, f"{self.name}.mlir", self.context), self.devices, "off")

    def _function(self, code):
        with _module(code) as module:
            shardings.drop(module)
            text = module.operation.get_asm(enable_debug_info=True)
        manifest = {"entry": "main", "args": [{"role": "hyper", "name": name} for name in self.names],
                    "results": [{"role": f"metric:result{k}"} for k in range(len(self.results))]}
        for slot in self.arguments:
            slot.other = None  # the instance of a function keeps no values
        mlir = normalise(text, manifest, self.places)
        with places.by_export(self):
            return native.Instance(native.Program(mlir, "", f"{self.name}.mlir", self.context), None, "off")

    def failure(self):
        """Returns why the last run failed."""
        reported, self.context.reported = self.context.reported, []
        return next((message for severity, _, message, _ in reported if not severity), "the program failed")
