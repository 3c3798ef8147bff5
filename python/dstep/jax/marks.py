"""`gradients`: annotates the gradients of a step's parameters.

In JAX the annotation is the identity. Across ranks it is a reduction, a linear map of the values of all ranks: so the
derivative of an annotated value is annotated as well, as the derivative of psum is psum.
"""
from typing import Any

import jax
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from ..base.errors import FrontendError
from ..frontend.ir import marks
from .roles import dotted, listed

# In the user's step: `path` in the tree of gradients, `of` the selector of the parameters with that tree.
gradient_p = Primitive("ds_gradient")
gradient_p.def_impl(lambda value, **_: value)
gradient_p.def_abstract_eval(lambda value, **_: value)
mlir.register_lowering(gradient_p, lambda ctx, value, **_: [value])
ad.deflinear2(gradient_p, lambda cotangent, _, **params: [gradient_p.bind(cotangent, **params)])
batching.defvectorized(gradient_p)

# In the export: a call that StableHLO carries. No transformation of JAX is applied to it any more.
mark_p = Primitive("ds_mark")
mark_p.def_abstract_eval(lambda value, **_: value)
mlir.register_lowering(mark_p, lambda ctx, value, target, said: jax.ffi.ffi_lowering(target, backend_config=said,
                                                                                     api_version=2)(ctx, value))


def gradients(grads: Any, of: str | None = None) -> Any:
    """Returns `grads`, annotated as the gradients of parameters; nothing else may read them before:

        loss, grads = jax.value_and_grad(loss_of)(params)
        grads = dstep.jax.gradients(grads)

    With `batch = local`, ranks reduce each gradient at the annotation, and ds detects no other gradients in the step.
    Elsewhere the function is the identity. The tree is that of the step's parameters (for several arguments a tuple of
    trees, as from argnums=(0, 1)); `of` is a selector for gradients of a part of them, such as of="params.head".
    Accumulated gradients are annotated once, when they are complete.
    """
    def mark(path, value):
        if not jax.dtypes.issubdtype(jax.dtypes.result_type(value), np.floating):
            return value
        return gradient_p.bind(jax.numpy.asarray(value), path=dotted(path), of=of)
    return jax.tree_util.tree_map_with_path(mark, grads)


def parameter_of(leaves, params, path, of):
    """Returns the parameter with the gradient at `path` of a tree of gradients; `params` selects all parameters."""
    roots = listed(params) if of is None else [of]
    trainable = [leaf for leaf in leaves if leaf.role == "param"]
    found = {leaf.full: leaf for root in roots for leaf in trainable if leaf.below(root) == path}
    if not found and len(roots) > 1:  # a tuple of trees
        found = {leaf.full: leaf for i, root in enumerate(roots) for leaf in trainable
                 if leaf.below(root) is not None and ".".join(filter(None, (str(i), leaf.below(root)))) == path}
    if len(found) > 1:
        raise FrontendError(f"'{path}' is marked as a gradient of {' or '.join(found)}; of= names which")
    if not found:
        raise FrontendError(f"'{path}' is marked as a gradient{f' of a part of {of}' if of is not None else ''}, but "
                            f"the parameters are {', '.join(leaf.full for leaf in trainable)}; of= names what the "
                            "gradients are of")
    return next(iter(found.values()))


def exported_mark(eqn, leaves, params):
    """Returns the equation for an annotation in the exported step."""
    leaf = parameter_of(leaves, params, **eqn.params)
    given, expected = eqn.invars[0].aval.shape, jax.numpy.shape(leaf.value)
    if np.prod(given) != np.prod(expected):
        raise FrontendError(f"the gradient of '{leaf.full}' is marked where it has the shape {given}, expected "
                            f"{expected}")
    return eqn.replace(primitive=mark_p, params={"target": marks.GRADIENT, "said": leaf.name})
