"""Annotations of values by a front end: a gradient, a reduction over ranks, or a sharding.

    stablehlo.custom_call @ds.gradient(%g) {backend_config = "w"}     ->  ds.gradient %g of "w"
    stablehlo.custom_call @ds.combine(%v) {backend_config = "sum"}    ->  ds.combine sum %v
    stablehlo.custom_call @ds.sharding_constraint(%h) {backend_config = "[{}, {\"tp\"}]"}  ->  ds.sharding_constraint %h
    <[{}, {"tp"}]>

Passes over StableHLO leave a call in place; an attribute would be lost with the operation that a pattern replaces. The
call has one operand and one result of the same type and no effect, so a dead one disappears.
"""
import re

from jaxlib.mlir import ir

from ...base.errors import FrontendError
from . import builder

GRADIENT, COMBINE, SHARD = "ds.gradient", "ds.combine", "ds.sharding_constraint"
ATTRIBUTES = {GRADIENT: "param", COMBINE: "kind", SHARD: "sharding"}


def sharding(text):
    """Returns the attribute of ds for [{"dp"}, {}]."""
    ir.Context.current.allow_unregistered_dialects = True
    return ir.Attribute.parse(f"#ds.sharding<{text}>")


def annotate(module, manifest=None):
    """Rewrites annotations as operations of ds, whose dialect jaxlib does not know. A manifest has the valid names of
    gradients."""
    parameters = [a["name"] for a in manifest["args"] if a["role"] == "param"] if manifest else None
    calls = [op for op in builder.operations(module.operation)
             if op.name == "stablehlo.custom_call" and op.attributes["call_target_name"].value in ATTRIBUTES]
    module.context.allow_unregistered_dialects |= bool(calls)
    for call in calls:
        name = call.attributes["call_target_name"].value
        said = call.attributes["backend_config"] if "backend_config" in call.attributes else None
        if said is None or len(call.operands) != 1 or [v.type for v in call.operands] != [v.type for v in call.results]:
            raise FrontendError(f"a call of '{name}' has the form {call}, expected one operand, a result of its type, "
                                "and a backend_config")
        if name == GRADIENT and parameters is not None and said.value not in parameters:
            raise FrontendError(f"a gradient of '{said.value}' is marked, but the parameters are "
                                f"{', '.join(parameters)}")
        if name == SHARD:
            said = sharding(said.value)
        mark = builder.create(call, name, [call.results[0].type], list(call.operands),
                              attributes={ATTRIBUTES[name]: said})
        builder.replace(call, list(mark.results))


def pretty(text):
    """Returns printed IR with the annotations in ds's syntax: a context without the dialect prints the generic form."""
    text = re.sub(r'"ds\.gradient"\((%\S+)\) \{param = (".*")\} : \((.*)\) -> .*', r"ds.gradient \1 of \2 : \3", text)
    text = re.sub(r'"ds\.sharding_constraint"\((%\S+)\) \{sharding = #ds\.sharding(<.*>)\} : \((.*)\) -> .*',
                  r"ds.sharding_constraint \1 \2 : \3", text)
    return re.sub(r'"ds\.combine"\((%\S+)\) \{kind = "(\w+)"\} : \((.*)\) -> .*', r"ds.combine \2 \1 : \3", text)
