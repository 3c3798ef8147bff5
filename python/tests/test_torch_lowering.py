"""Every rule of ds.torch.lowering: an operation of ATen alone, lowered, compiled and run by ds-run, gives what PyTorch
gives."""
import unittest

import numpy as np
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from dstep.base.export import Export
from dstep.frontend import FrontendError, normalise
from dstep.session.run import Runner
from dstep.torch import decompositions
from dstep.torch.base import graph
from dstep.torch.lowering import RULES, lower
from dstep.torch.step.export import to_array
import torch_counting_cases  # noqa: F401 (it adds its groups)
import torch_matrix_cases  # noqa: F401
import torch_special_cases  # noqa: F401
from torch_cases import GROUPS, f

aten = torch.ops.aten


class Alone(Export):
    """Operations beside one another, and a parameter that is trained so that there is a step."""

    def __init__(self, cases):
        self.inputs, starts = [], []
        for _, _, tensors in cases:
            starts.append(len(self.inputs))
            self.inputs += tensors

        def step(w, x, *inputs):
            results = []
            for (_, operation, tensors), start in zip(cases, starts):
                found = operation(*inputs[start:start + len(tensors)])
                results += [r for r in (found if isinstance(found, (tuple, list)) else [found]) if r is not None]
            return (w - x.mean(0), *results)

        self.args = [torch.ones(2), torch.ones(4, 2), *self.inputs]
        with torch.no_grad():
            self.expected = step(*self.args)
            module = graph.tidy(make_fx(graph.functional(step), decomposition_table=decompositions.table(),
                                        tracing_mode="real")(*self.args))
        self.targets = {node.target for node in module.graph.nodes if node.op == "call_function"}
        roles = [("param", "w"), ("batch", "x"), *(("hyper", f"in{k}") for k in range(len(self.inputs)))]
        dtypes = [str(to_array(r).dtype) for r in self.expected]
        super().__init__("alone", {"args": [{"role": role, "name": name} for role, name in roles], "results": [
            {"role": "updates:w", "dtype": dtypes[0]},
            *({"role": f"metric:m{k}", "reduce": "none", "dtype": d} for k, d in enumerate(dtypes[1:]))]})
        self.mlir = normalise(lower(module), self.manifest)

    def flatten(self, args):
        return [to_array(a) for a in args]


# test_torch_marks, test_torch_sharded and test_torch_kinds (SyncBatchNorm) train with them.
MARKS = {"ds.gradient.default", "ds.sharding_constraint.default", "ds.combine.default"}


class Lowering(unittest.TestCase):
    seen, ran = set(), set()

    def check(self, name):
        torch.manual_seed(0)
        cases = []
        GROUPS[name](lambda operation, *tensors: cases.append((len(cases), operation, list(tensors))))
        exported = Alone(cases)
        Lowering.seen |= exported.targets
        Lowering.ran.add(name)
        got = Runner(ranks=1).steps(exported, [exported.args])[0]
        for number, (ours, theirs) in enumerate(zip(got, map(to_array, exported.expected), strict=True)):
            with self.subTest(result=number):
                self.assertEqual((ours.dtype, ours.shape), (theirs.dtype, theirs.shape))
                if theirs.dtype.kind in "iub":
                    np.testing.assert_array_equal(ours, theirs)
                else:
                    loose = ours.dtype.itemsize == 2
                    np.testing.assert_allclose(ours.astype(np.float64), theirs.astype(np.float64),
                                               rtol=1e-2 if loose else 2e-5, atol=1e-2 if loose else 5e-6)

    @classmethod
    def tearDownClass(cls):
        if cls.ran == set(GROUPS):
            missing = {str(operation) for operation in RULES
                       if isinstance(operation, torch._ops.OpOverload)} - {str(t) for t in cls.seen} - MARKS
            assert not missing, f"no case tests the rules of {', '.join(sorted(missing))}"


for _name in GROUPS:
    setattr(Lowering, f"test_{_name}", lambda self, name=_name: self.check(name))


class Exactness(unittest.TestCase):
    """In double precision, where PyTorch's kernels are off in the seventh digit (lowering/cephes.py) or, for the gamma
    functions, in the ninth."""

    def computed(self, *cases):
        exported = Alone([(k, *case) for k, case in enumerate(cases)])
        return Runner(ranks=1).steps(exported, [exported.args])[0][1:]

    def test_wronskians_of_bessel_functions(self):
        x = torch.tensor([1e-3, 0.1, 1, 1.99, 2, 4.9, 5, 5.1, 7.9, 8.1, 20, 60], dtype=torch.float64)
        s = torch.special
        found = self.computed((lambda x: s.bessel_j1(x) * s.bessel_y0(x) - s.bessel_j0(x) * s.bessel_y1(x), [x]),
                              (lambda x: s.i1(x) * s.modified_bessel_k0(x) + s.i0(x) * s.modified_bessel_k1(x), [x]))
        np.testing.assert_allclose(found[0], 2 / (np.pi * x.numpy()), rtol=1e-14)
        np.testing.assert_allclose(found[1], 1 / x.numpy(), rtol=1e-14)

    def test_known_values(self):
        """Of 20 digits, by mpmath."""
        x, a = (torch.tensor(v, dtype=torch.float64) for v in ([-2.1, -4.0, 1.0, 2.2], [30.0, 30.0, 199.0, 1e4]))
        found = self.computed((torch.special.airy_ai, [x]),
                              (torch.special.gammainc,
                               [a, torch.tensor([25.0, 35.0, 205.0, 9900.0], dtype=torch.float64)]))
        np.testing.assert_allclose(found[0], [0.16348451299929268, -0.070265532949289515, 0.13529241631288142,
                                              0.025610404421773212], rtol=1e-13)
        np.testing.assert_allclose(found[1], [0.18210391597745511, 0.8229545478999403, 0.67173212760567167,
                                              0.15865119219356466], rtol=1e-13)


class Refusals(unittest.TestCase):
    def refused(self, sentence, function, *tensors):
        def forward(*arguments):
            return function(*arguments)
        module = graph.tidy(make_fx(graph.functional(forward), record_stack_traces=True, tracing_mode="real")(*tensors))
        with self.assertRaisesRegex(FrontendError, sentence):
            lower(module)

    def test_an_operation_without_a_rule_is_named_with_its_line(self):
        self.refused(r"the operation 'linalg_eig' at .*test_torch_lowering.py:\d+ has no form in StableHLO that ds "
                     r"knows",
                     lambda x: aten.linalg_eig(x)[0].real, f(4, 4))

    def test_what_a_rule_cannot_say_is_named_with_its_line(self):
        self.refused(r"the operation 'as_strided_scatter' at .*test_torch_lowering.py:\d+ is given what ds has no form "
                     r"for: memory between the elements of \[2, 4\]",
                     lambda x, s: aten.as_strided_scatter(x[:, ::2], s, [2], [1], 0), f(2, 8), f(2))


if __name__ == "__main__":
    unittest.main()
