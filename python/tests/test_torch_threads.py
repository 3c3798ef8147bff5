"""Threads, children and signal handlers of the user beside an export: exports wait for one another, what they replace
counts on their own thread, and what a handler raises stays the user's."""
import copy
import math
import os
import queue
import signal
import threading
import time
import unittest
from unittest import mock

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.utils import checkpoint, data

import dstep as ds
from dstep.torch.base import threads
from dstep.torch.dynamo.compiled import Compiled
from dstep.torch.training.resident import Resident


def on_a_thread(function):
    """What it returns on a thread of its own, or raises there."""
    found = []

    def run():
        try:
            found.append((function(), None))
        except BaseException as error:
            found.append((None, error))
    thread = threading.Thread(target=run)
    thread.start()
    thread.join(120)
    if not found:
        raise AssertionError("the other thread hangs")
    result, error = found[0]
    if error:
        raise error
    return result


class Notes(queue.SimpleQueue):
    """What a loss function notes; a list or another object of Python would be as it was before the export."""

    def all(self):
        return [self.get() for _ in range(self.qsize())]


def step(loss_fn, model=None, kind=torch.optim.Adam):
    """A step of a small model, which nobody has exported yet."""
    model = model or nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 1))
    x = torch.randn(8, 4)
    return ds.torch.data_parallel(model, kind(model.parameters(), lr=0.1), loss_fn, ranks=2), (x, x[:, :1])


def counted():
    """(a function that torch.compile has compiled, whose graphs count their runs, the counts)."""
    runs = []

    def backend(module, inputs):
        return lambda *values: (runs.append(1), module(*values))[1]
    compiled = torch.compile(lambda x: torch.sin(x) * 2, backend=backend, fullgraph=True)
    compiled(torch.ones(3))
    return compiled, runs


class Plain:
    """Plain PyTorch on a thread of the user."""

    def __init__(self):
        self.compiled, self.runs = counted()

    def __call__(self):
        model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 1))
        optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
        before, count = copy.deepcopy(model), len(self.runs)
        x = torch.randn(6, 4)
        checkpoint.checkpoint(model, x, use_reentrant=False).pow(2).mean().backward()
        optimizer.step()
        trained = [not torch.equal(p, q) for p, q in zip(model.parameters(), before.parameters())]
        assert all(trained), "nothing was trained"
        assert not torch.equal(model[1].running_mean, before[1].running_mean), "no running statistics"
        assert not torch.compiler.is_compiling() and not torch.compiler.is_exporting()
        assert torch.get_rng_state().numel() == 5056 and type(math.sqrt(2.0)) is float
        state = torch.get_rng_state()
        first = F.dropout(torch.ones(64), 0.5)
        torch.set_rng_state(state)
        assert torch.equal(first, F.dropout(torch.ones(64), 0.5)), "other masks from one state"
        with_hook = torch.optim.SGD(model.parameters(), lr=0.1)
        assert not hasattr(copy.deepcopy(with_hook), "_ds") and copy.deepcopy(with_hook).param_groups[0]["params"]
        self.compiled(torch.ones(3))
        assert len(self.runs) == count + 1, "the compiled function ran in eager"
        return True


class Beside(unittest.TestCase):
    def test_plain_pytorch_runs_as_ever(self):
        plain, ran = Plain(), Notes()

        def loss_fn(y, target):  # runs while everything is replaced that an export replaces
            ran.put(on_a_thread(plain))
            return F.mse_loss(y, target)
        train, batch = step(loss_fn)
        self.assertGreater(train(batch)["loss"], 0)
        self.assertGreater(len(ran.all()), 2)

    def test_an_optimizer_that_steps_when_an_export_begins_goes_on(self):
        """PyTorch reads its table of the hooks of all optimizers while it calls them."""
        within, goes_on, finished = threading.Event(), threading.Event(), []
        train, batch = step(F.mse_loss)
        train(batch)  # ds puts its own hooks there once, which stay

        def hook(optimizer, arguments, options):
            if threading.current_thread() is other:
                within.set()
                goes_on.wait(60)

        def run():
            model = nn.Linear(4, 1)
            torch.optim.SGD(model.parameters(), lr=0.1).step()
            finished.append(True)
        other = threading.Thread(target=run)
        for each in (hook, lambda *arguments: None):  # the table is read on after the first one
            self.addCleanup(register_optimizer_step_pre_hook(each).remove)
        other.start()
        self.assertTrue(within.wait(60))
        train, batch = step(F.mse_loss)
        train(batch)
        goes_on.set()
        other.join(60)
        self.assertEqual(finished, [True])

    def test_what_is_compiled_beside_torch_compile_as_well(self):
        ran, plain, found = [], Plain(), Compiled._found

        def beside(self, leaves):  # runs the graph while everything is replaced
            ran.append(on_a_thread(plain))
            return found(self, leaves)
        model = nn.Linear(4, 1)
        with mock.patch.object(Compiled, "_found", beside):
            torch.compile(model, backend="dstep", options={"ranks": 2})(torch.randn(8, 4)).sum().backward()
        self.assertGreater(len(ran), 1)
        self.assertIsNotNone(model.weight.grad)

    def test_nothing_is_left_behind(self):
        names = [(torch, "batch_norm"), (F, "dropout"), (torch, "get_rng_state"), (torch.Tensor, "backward"),
                 (torch.compiler, "_is_compiling_flag"), (copy, "dispatch_table"), (math, "sqrt"),
                 (nn.modules.batchnorm._BatchNorm, "forward"), (torch._dynamo.eval_frame, "_stance"),
                 (torch.distributions.Distribution, "_validate_args")]
        before = [vars(owner)[name] for owner, name in names]
        train, batch = step(F.mse_loss)
        train(batch)
        for (owner, name), value in zip(names, before):
            self.assertIs(vars(owner)[name], value, name)
        self.assertNotIn("__deepcopy__", vars(torch.optim.Optimizer))
        self.assertEqual(threads._places, {})

    def test_exports_wait_for_one_another(self):
        calls, ready = Notes(), threading.Barrier(2)

        def loss_fn(y, target):
            calls.put(threading.get_ident())
            time.sleep(0.1)  # the other one could come in now
            return F.mse_loss(y, target)
        ran = []

        def train():
            made, batch = step(loss_fn, nn.Linear(4, 1), torch.optim.SGD)
            ready.wait(60)
            ran.append(made(batch)["loss"] >= 0)
        both = [threading.Thread(target=train) for _ in range(2)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join(120)
        order = calls.all()
        self.assertEqual((ran, len(set(order))), ([True, True], 2))
        self.assertEqual(sum(a != b for a, b in zip(order, order[1:])), 1, "one export's calls between the other's")

    def test_a_replacement_is_of_one_thread(self):
        class Base:
            kind = "base"

            def name(self):
                return self.kind

        class Held(Base):
            pass
        module = type(os)("held")
        module.function, module.flag = (lambda: "own"), False
        seen = lambda: (module.function(), bool(module.flag), Held().name(), Held.kind, getattr(Held(), "new", None))
        with threads.replaced(module, "function", lambda: "replaced"), threads.replaced(module, "flag", True), \
                threads.replaced(Held, "name", lambda self: "replaced"), threads.replaced(Held, "kind", "replaced"), \
                threads.replaced(Held, "new", 1):
            self.assertEqual(seen(), ("replaced", True, "replaced", "replaced", 1))
            self.assertEqual(on_a_thread(seen), ("own", False, "base", "base", None))
            with threads.replaced(module, "function", lambda: "inner"):
                self.assertEqual(module.function(), "inner")
                entered, left = threading.Event(), threading.Event()

                def other():
                    with threads.replaced(module, "function", lambda: "other"):
                        entered.set()
                        left.wait(60)
                        return module.function()
                found = []
                thread = threading.Thread(target=lambda: found.append(other()))
                thread.start()
                entered.wait(60)
            self.assertEqual(module.function(), "replaced")
        self.assertEqual(module.function(), "own")  # the other thread is within its own still
        left.set()
        thread.join(60)
        self.assertEqual((found, seen()), (["other"], ("own", False, "base", "base", None)))
        self.assertEqual(list(vars(Held).keys() & {"name", "kind", "new"}), [])


class Children(unittest.TestCase):
    def test_a_loader_forks_its_workers_after_a_step(self):
        train, batch = step(F.mse_loss, nn.Linear(4, 1))
        train(batch)
        loader = data.DataLoader(data.TensorDataset(*batch), batch_size=4, num_workers=2, timeout=60,
                                 multiprocessing_context="fork")
        losses = [train([torch.cat([v, v]) for v in pair])["loss"] for pair in loader]
        self.assertEqual(len(losses), 2)

    def test_a_child_that_is_forked_beside_an_export_waits_for_no_thread(self):
        codes = Notes()

        def child():
            number = os.fork()
            if number == 0:
                signal.alarm(60)
                with threads._export, threads.replaced(F, "dropout", None):
                    os._exit(0 if F.dropout.__wrapped__ else 1)
            codes.put(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]))

        def loss_fn(y, target):
            if codes.empty():
                on_a_thread(child)
            return F.mse_loss(y, target)
        train, batch = step(loss_fn, nn.Linear(4, 1))
        train(batch)
        self.assertEqual(codes.all(), [0])


class Stop(Exception):
    pass


class Handlers(unittest.TestCase):
    def setUp(self):
        def handler(*_):
            raise Stop("the user's")
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, handler))
        self.handler = handler

    def test_in_an_export(self):
        calls = Notes()

        def loss_fn(y, target):
            calls.put(1)
            if calls.qsize() == stops:
                signal.raise_signal(signal.SIGALRM)
            return F.mse_loss(y, target)
        for stops in (1, 2, 3):  # the first run, the trace, the check
            train, batch = step(loss_fn)
            with self.assertRaises(Stop) as raised:
                train(batch)
            self.assertEqual((str(raised.exception), len(calls.all())), ("the user's", stops))
            self.assertIs(signal.getsignal(signal.SIGALRM), self.handler)

    def test_between_the_steps_of_a_run(self):
        train, batch = step(F.mse_loss)
        train(batch)
        calls, step_of_ranks = [], Resident.step

        def interrupted(resident, *arguments):
            calls.append(1)
            if len(calls) == 3:
                signal.raise_signal(signal.SIGALRM)
            return step_of_ranks(resident, *arguments)
        with mock.patch.object(Resident, "step", interrupted), self.assertRaises(Stop):
            train.run([batch] * 10, schedule=torch.optim.lr_scheduler.ConstantLR(train.optimizer))
        self.assertEqual(train.position.step, 3)


if __name__ == "__main__":
    unittest.main()
