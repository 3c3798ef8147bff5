"""Operations without a form on upstream dialects: one error that names the operation, its line, and the supported
ones."""
from ...base import places
from ...base.errors import FrontendError
from . import builder

SUPPORTED = """abs add and atan2 bitcast_convert broadcast_in_dim case cbrt ceil cholesky clamp compare complex
concatenate constant convert convolution cosine count_leading_zeros divide dot dot_general dynamic_slice
dynamic_update_slice exponential exponential_minus_one fft floor gather if imag iota is_finite log log_plus_one
logistic map maximum minimum multiply negate not optimization_barrier or pad popcnt power real reduce reduce_precision
reduce_window remainder reshape reverse rng_bit_generator round_nearest_afz round_nearest_even rsqrt scatter select
select_and_scatter shift_left shift_right_arithmetic shift_right_logical sign sine slice sort sqrt subtract tan tanh
transpose triangular_solve while xor""".split()


def place(location):
    """Returns the user's line in a location of JAX, which lists a chain of callers; '' if there is none."""
    return places.innermost(str(location))


def where(op, module):
    """Returns the line of an operation, or of the call that leads to it: the step calls functions of libraries."""
    for _ in range(8):
        line = place(op.location)
        if line:
            return line
        function = op
        while function.parent is not None and function.name != "func.func":
            function = function.parent.operation
        if function.name != "func.func":
            break
        callee = f'@{function.attributes["sym_name"].value}'
        calls = [c for c in builder.operations(module.operation) if c.name == "func.call"
                 and str(c.attributes["callee"]) == callee]
        if not calls:
            break
        op = calls[0]
    return str(op.location)


def refuse(module, op, why="has no form on upstream dialects"):
    raise FrontendError(f"'{op.name}' {why} ({where(op, module)}); supported operations of StableHLO are "
                        f"{', '.join(SUPPORTED)}")


def refuse_leftovers(module):
    for op in builder.operations(module.operation):
        if op.name.split(".")[0] not in builder.DIALECTS:
            target = op.attributes["call_target_name"].value if "call_target_name" in op.attributes else ""
            refuse(module, op, f"of '{target}' has no form on upstream dialects" if target
                   else "has no form on upstream dialects")
