"""Every decomposition and every function that ds.torch computes in another way gives what PyTorch's own kernel gives."""
import contextlib
import itertools
import unittest

import torch
import torch.nn.functional as F
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx

from dstep.frontend import FrontendError
from dstep.torch.decompositions import counting, foreach, rules as decompositions, scattering
from dstep.torch.functions import RandomBits, StepFunctions
from dstep.torch.functions.bits import _int32

aten = torch.ops.aten


class Operations(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def same(self, got, expected, rtol=1e-5, atol=1e-6, nan=False):
        torch.testing.assert_close(got, expected, rtol=rtol, atol=atol, equal_nan=nan)

    def test_nll_loss_with_weights_and_ignored_samples(self):
        for shape, reduction, weighted in itertools.product(((6, 5), (2, 5, 3, 4)), (0, 1, 2), (False, True)):
            scores = F.log_softmax(torch.randn(shape), 1)
            target = torch.randint(0, 5, (shape[0], *shape[2:]))
            target.view(-1)[0] = -100
            weight = torch.rand(5) if weighted else None
            forward, backward = ((aten.nll_loss_forward, aten.nll_loss_backward) if len(shape) == 2
                                 else (aten.nll_loss2d_forward, aten.nll_loss2d_backward))
            expected, total = forward(scores, target, weight, reduction, -100)
            got = decompositions.nll_loss_forward(scores, target, weight, reduction, -100)
            self.same(got[0], expected)
            gradient = torch.randn_like(expected)
            self.same(decompositions.nll_loss_backward(gradient, scores, target, weight, reduction, -100, got[1]),
                      backward(gradient, scores, target, weight, reduction, -100, total))

    def test_nll_loss_of_ignored_samples_alone(self):
        """The loss is no number, the gradient 0; a weight of 0 is a sample of its own, which the mean divides by 0."""
        for shape, forward, backward in (((4, 5), aten.nll_loss_forward, aten.nll_loss_backward), ((2, 5, 3), aten.nll_loss2d_forward, aten.nll_loss2d_backward)):
            scores = torch.randn(shape if len(shape) == 2 else (*shape, 1))
            for fill, weight in itertools.product((-100, 1), (None, torch.zeros(5))):
                target = torch.full((shape[0], *scores.shape[2:]), fill)
                target.view(-1)[0] = -100
                loss, total = forward(scores, target, weight, 1, -100)
                self.same(decompositions.nll_loss_backward(torch.tensor(1.0), scores, target, weight, 1, -100, total), backward(torch.tensor(1.0), scores, target, weight, 1, -100, total), nan=True)
                self.same(decompositions.nll_loss_forward(scores, target, weight, 1, -100)[0], loss, nan=True)

    def test_padding_may_have_any_gradient(self):
        gradient = torch.randn(4, 6)
        gradient[1] = float("nan")
        indices = torch.tensor([0, 3, 2, 0])
        self.same(decompositions.embedding_dense_backward(gradient, indices, 7, 3, False), aten.embedding_dense_backward(gradient, indices, 7, 3, False))

    def test_nll_loss_of_an_impossible_class_is_not_nan(self):
        scores = torch.tensor([[0.0, -float("inf")]])
        self.same(decompositions.nll_loss_forward(scores, torch.tensor([0]), None, 1, -100)[0], torch.tensor(0.0))

    def test_embedding_gradient(self):
        indices = torch.randint(0, 7, (4, 5))
        for padding, by_frequency in ((-1, False), (3, False), (-1, True)):
            gradient = torch.randn(4, 5, 6)
            self.same(decompositions.embedding_dense_backward(gradient, indices, 7, padding, by_frequency),
                      aten.embedding_dense_backward(gradient, indices, 7, padding, by_frequency))

    def test_max_pool_gradient_of_windows_with_gaps(self):
        for x in (torch.randn(2, 3, 9, 8), torch.randn(2, 3, 5, 4), torch.randn(3, 9, 8)):
            options = ([2, 3], [2, 1], [1, 1], [2, 1], False)
            out, indices = aten.max_pool2d_with_indices(x, *options)
            gradient = torch.randn_like(out)
            self.same(decompositions.max_pool2d_with_indices_backward(gradient, x, *options, indices),
                      aten.max_pool2d_with_indices_backward(gradient, x, *options, indices))

    def test_scatter_of_values(self):
        x = torch.randn(4, 5, 6)
        for dim, shape in ((1, (4, 3, 6)), (-1, (4, 5, 2)), (0, (3, 5, 6))):
            index = torch.stack([torch.randperm(x.shape[dim])[:shape[dim]] for _ in range(x.numel() // x.shape[dim])])
            index = index.reshape([s for d, s in enumerate(shape) if d != dim % 3] + [shape[dim]]).movedim(-1, dim)
            source = torch.randn(shape)
            self.same(scattering.scatter(x, dim, index, source), torch.scatter(x, dim, index, source))
            self.same(scattering.scatter(x, dim, index, 2.0), torch.scatter(x, dim, index, 2.0))

    def test_counts(self):
        x = torch.randint(0, 7, (40,)).float()
        for bins, low, high in ((7, 0, 6), (4, 1, 5), (3, 0, 0)):
            self.same(decompositions.histc(x, bins, low, high), torch.histc(x, bins, low, high))

        values, weights = torch.randint(0, 5, (20,)), torch.rand(20)
        for size in (5, 9):
            expected = torch.bincount(values, minlength=size), values.bincount(weights, size)
            with StepFunctions(torch.tensor(1)):
                self.same(torch.bincount(values, minlength=size), expected[0])
                self.same(values.bincount(weights, size), expected[1])
                with self.assertRaisesRegex(FrontendError, "torch.bincount has as many counts as the largest value .*, expected minlength="):
                    torch.bincount(values)

    def test_the_most_frequent_of_what_is_no_number(self):
        """PyTorch's kernel sorts them, and finds what depends on their order."""
        nan = float("nan")
        values, positions = counting.mode(torch.tensor([[nan, 2, nan, 2], [nan, 3, nan, 1], [nan, nan, nan, nan]]))
        self.same(values[:2], torch.tensor([2.0, 1.0]))
        self.assertTrue(values[2].isnan())
        self.same(positions, torch.tensor([3, 3, 3]))

    def test_products_of_groups(self):
        """Against a loop over the groups, of which one is empty."""
        ends = torch.tensor([2, 2, 5, 8], dtype=torch.int32)
        spans = list(zip([0, 2, 2, 5], ends.tolist()))
        rows, experts, columns = torch.randn(8, 3), torch.randn(4, 3, 5), torch.randn(3, 8)
        self.same(decompositions.grouped_mm(rows, experts, ends), torch.cat([rows[a:b] @ experts[k] for k, (a, b) in enumerate(spans)]))
        self.same(decompositions.grouped_mm(columns, rows, ends), torch.stack([columns[:, a:b] @ rows[a:b] for a, b in spans]))
        self.same(decompositions.grouped_mm(experts.transpose(1, 2), columns, ends),
                  torch.cat([experts[k].t() @ columns[:, a:b] for k, (a, b) in enumerate(spans)], 1))

    def test_a_mask_that_is_set_is_a_select(self):
        x = torch.randn(3, 4, 2)
        for mask in (torch.rand(3, 4, 2) > 0.5, torch.rand(3, 4) > 0.5):
            self.same(decompositions.index_put(x, [mask], torch.tensor(2.0)), aten.index_put(x, [mask], torch.tensor(2.0)))
        self.assertIs(decompositions.index_put(x, [mask], torch.randn(int(mask.sum()), 2)), NotImplemented)

    def test_gather_and_scatter_add(self):
        x = torch.randn(4, 5, 6)
        for dim, shape in ((1, (4, 3, 6)), (-1, (4, 5, 2)), (0, (7, 5, 6)), (1, (2, 3, 4))):
            index = torch.randint(0, x.shape[dim], shape)
            self.same(scattering.gather(x, dim, index), torch.gather(x, dim, index))
            if shape != (2, 3, 4):
                source = torch.randn(shape)
                self.same(scattering.scatter_add(x, dim, index, source), torch.scatter_add(x, dim, index, source))

    def test_operations_of_many_tensors(self):
        """Each of torch._foreach_*, by arguments made from its schema."""
        made = {"List[Tensor]": lambda: [torch.rand(3, 3) + 0.5, torch.rand(3, 3) + 0.5], "number": lambda: 2.0, "List[number]": lambda: [2.0, 3.0]}
        table, tried = foreach.table(), 0
        for operation, function in table.items():
            required = [a for a in operation._schema.arguments if not a.has_default_value()]
            arguments = [torch.tensor([2.0, 3.0]) if a.name == "scalars" and str(a.type) == "Tensor" else made.get(str(a.type), lambda: torch.tensor(2.0))() for a in required]
            with self.subTest(str(operation)):
                expected = operation(*arguments)
                self.same(function(*arguments), list(expected), nan=True)
                tried += 1
        self.assertGreater(tried, 70)

    def test_tensors_filled_with_a_number_that_is_a_tensor(self):
        def function(x):
            return torch.full_like(x, x.mean()) + torch.full((2,), x.max(), dtype=torch.float64) + torch.full([2], fill_value=x.min())
        x = torch.rand(3, 2)
        with StepFunctions(None):
            graph = make_fx(function)(x)
        self.same(graph(x * 2), function(x * 2))

    def test_packed_sequences_are_refused(self):
        packed = nn.utils.rnn.pack_padded_sequence(torch.rand(3, 2, 4), [3, 2])
        for layer in (nn.LSTM(4, 5), nn.GRU(4, 5, bidirectional=True), nn.RNN(4, 5, nonlinearity="relu", bias=False)):
            with StepFunctions(torch.zeros(2, dtype=torch.int32)), self.assertRaisesRegex(FrontendError, "is given a packed sequence, expected a padded tensor"):
                layer(packed)

    def test_lerp(self):
        a, b = torch.randn(4), torch.randn(4)
        for weight in (0.1, 0.5, 0.9):
            self.same(decompositions.lerp_scalar(a, b, weight), torch.lerp(a, b, weight))


class Functions(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.seed = torch.tensor([7, 3], dtype=torch.int32)

    def test_hash_is_the_one_it_says(self):
        """Against the same arithmetic on Python's unbounded integers."""
        def mix(x, key=0):
            x = (x ^ x >> 16) * 0x7FEB352D & 0xFFFFFFFF
            x = x + key & 0xFFFFFFFF
            x = (x ^ x >> 15) * 0x846CA68B & 0xFFFFFFFF
            return x ^ x >> 16
        first = mix(mix(7) ^ 3)
        keys = [first ^ mix(2), mix(first ^ 0x9E3779B9) ^ mix(3)]
        expected = [_int32(mix(position ^ keys[0], keys[1])) for position in range(12)]
        self.assertEqual(RandomBits(self.seed).words((3, 4)).flatten().tolist(), expected)

    def test_random_numbers_are_uniform_normal_and_independent(self):
        random = RandomBits(self.seed)
        first, second = random.uniform((200, 100)).flatten(), random.uniform((200, 100)).flatten()
        self.assertAlmostEqual(float(first.mean()), 0.5, delta=0.01)
        self.assertAlmostEqual(float(first.var()), 1 / 12, delta=0.003)
        self.assertLess(float(first.max()), 1)
        self.assertGreaterEqual(float(first.min()), 0)
        for other in (second, first.roll(1), first.roll(100), RandomBits(torch.tensor([7, 4], dtype=torch.int32)).uniform((200, 100)).flatten()):
            self.assertLess(abs(float(torch.corrcoef(torch.stack([first, other]))[0, 1])), 0.03)
        normal = random.normal((200, 100))
        self.assertAlmostEqual(float(normal.mean()), 0, delta=0.03)
        self.assertAlmostEqual(float(normal.std()), 1, delta=0.03)

    def test_dropout_scales_what_it_keeps(self):
        x = torch.ones(100, 100)
        with StepFunctions(self.seed):
            y = F.dropout(x, 0.25)
            channels = F.dropout2d(torch.ones(50, 20, 3, 3), 0.25)
            alone = F.dropout1d(torch.ones(20, 50), 0.5)
            self.assertTrue(torch.equal(F.dropout(x, 0.25, training=False), x))
            self.assertTrue(torch.equal(F.dropout(x, 1.0), torch.zeros_like(x)))
        self.assertEqual(set(y.unique().tolist()), {0.0, float(torch.tensor(1 / 0.75))})
        self.assertAlmostEqual(float((y == 0).float().mean()), 0.25, delta=0.02)
        self.assertTrue(torch.equal(channels, channels[:, :, :1, :1].expand_as(channels)))
        self.assertTrue(torch.equal(alone, alone[:, :1].expand_as(alone)))  # one sample: its channels are dimension 0
        self.assertEqual(set(alone.unique().tolist()), {0.0, 2.0})

    def test_attention_is_pytorchs(self):
        query, key, value = torch.randn(2, 4, 5, 8), torch.randn(2, 2, 5, 8), torch.randn(2, 2, 5, 8)
        wide = [t.repeat_interleave(2, 1) for t in (key, value)]
        mask = torch.rand(5, 5) > 0.3
        mask[:, 0] = True
        for arguments, options in (((query, *wide), {}), ((query, *wide), {"is_causal": True}), ((query, *wide), {"attn_mask": mask}),
                                   ((query, *wide), {"attn_mask": mask & (torch.arange(5) != 2).unsqueeze(1)}),  # the third query may look at no key
                                   ((query, *wide), {"attn_mask": torch.randn(5, 5), "scale": 0.3}), ((query, key, value), {"enable_gqa": True})):
            expected = F.scaled_dot_product_attention(*arguments, **options)
            with StepFunctions(self.seed):
                torch.testing.assert_close(F.scaled_dot_product_attention(*arguments, **options), expected, rtol=1e-4, atol=1e-5)

    def test_recurrent_layers_are_pytorchs(self):
        for kind, options in ((nn.LSTM, {"num_layers": 2}), (nn.LSTM, {"bidirectional": True, "batch_first": True}), (nn.LSTM, {"num_layers": 2, "proj_size": 3}),
                              (nn.LSTM, {"bidirectional": True, "proj_size": 2, "bias": False}), (nn.GRU, {"num_layers": 2}),
                              (nn.RNN, {"nonlinearity": "relu"}), (nn.RNN, {"bidirectional": True, "bias": False})):
            layer, x = kind(6, 5, **options), torch.randn(4, 3, 6)
            expected, _ = layer(x)
            with StepFunctions(self.seed):
                got, _ = layer(x)
            torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-6)
        for kind in (nn.LSTMCell, nn.GRUCell, nn.RNNCell):
            cell, x = kind(6, 5), torch.randn(4, 6)
            expected = cell(x)
            with StepFunctions(self.seed):
                torch.testing.assert_close(cell(x), expected, rtol=1e-4, atol=1e-6)

    def test_batch_norm_keeps_its_statistics(self):
        ours, theirs = nn.BatchNorm2d(3), nn.BatchNorm2d(3)
        x = torch.randn(4, 3, 5, 5) * 3 + 1
        with StepFunctions(self.seed):
            got = ours(x)
        torch.testing.assert_close(got, theirs(x))
        for name, value in theirs.named_buffers():
            torch.testing.assert_close(ours.get_buffer(name), value)
        for layer in (theirs.eval(), nn.BatchNorm2d(3, affine=False).eval()):
            expected = layer(x)
            with StepFunctions(self.seed):
                torch.testing.assert_close(layer(x), expected)

    def same_with_gradients(self, function, *inputs):
        """`function` under StepFunctions and in PyTorch: results, and gradients of a weighted sum."""
        found = []
        for mode in (StepFunctions(self.seed), contextlib.nullcontext()):
            given = [t.detach().clone().requires_grad_(t.is_floating_point()) for t in inputs]
            with mode:
                result = function(*given)
                weights = torch.linspace(-1, 2, result.numel()).reshape(result.shape)
                gradients = torch.autograd.grad((result * weights).sum(), [t for t in given if t.requires_grad], allow_unused=True) if result.requires_grad else ()
            found.append([result.detach(), *(torch.zeros(()) if g is None else g for g in gradients)])
        torch.testing.assert_close(*found, rtol=1e-4, atol=1e-5)

    def test_bags_of_embeddings(self):
        weight, index = torch.randn(9, 4), torch.randint(0, 9, (5, 3))
        for mode, padding in itertools.product(("mean", "sum", "max"), (None, 2)):
            self.same_with_gradients(lambda w, m=mode, p=padding: F.embedding_bag(index, w, mode=m, padding_idx=p), weight)
        flat, offsets = index.reshape(-1), torch.tensor([0, 4, 4, 9])
        for mode in ("mean", "sum", "max"):
            self.same_with_gradients(lambda w, m=mode: F.embedding_bag(flat, w, offsets, mode=m), weight)
        self.same_with_gradients(lambda w, s: F.embedding_bag(index, w, mode="sum", per_sample_weights=s), weight, torch.rand(5, 3))
        with self.assertRaisesRegex(FrontendError, "max_norm"), StepFunctions(self.seed):
            F.embedding(index, weight, max_norm=1.0)

    def test_instance_norm_keeps_its_statistics(self):
        x = torch.randn(4, 3, 5, 5) * 3 + 1
        ours, theirs = (nn.InstanceNorm2d(3, affine=True, track_running_stats=True) for _ in range(2))
        with StepFunctions(self.seed):
            got = ours(x)
        torch.testing.assert_close(got, theirs(x))
        for name, value in theirs.named_buffers():
            torch.testing.assert_close(ours.get_buffer(name), value)
        expected = theirs.eval()(x)
        with StepFunctions(self.seed):
            torch.testing.assert_close(theirs(x), expected)

    def test_losses_and_distances_are_pytorchs(self):
        x, y, labels = torch.randn(6, 5), torch.randn(6, 5), torch.randint(0, 5, (6,))
        with StepFunctions(self.seed):
            self.assertTrue(torch.equal(torch.cdist(x, x, 0), 5.0 - 5 * torch.eye(6)))
        for p in (1, 2, 3, float("inf")):
            self.same_with_gradients(lambda a, b, p=p: torch.cdist(a, b, p), x, y)
        self.same_with_gradients(lambda a: torch.cdist(a, a), x)
        self.same_with_gradients(lambda a: F.pdist(a), x)
        self.same_with_gradients(lambda a, w, c: F.bilinear(a, y[:, :3], w, c), x, torch.randn(2, 5, 3), torch.randn(2))
        self.same_with_gradients(lambda v, g: torch._weight_norm(v, g, 0), x, torch.rand(6, 1))
        targets = torch.tensor([[3, 0, -1, 1, 2], [1, -1, 0, 0, 0], [4, 3, 2, 1, 0], [-1, 0, 1, 2, 3], [0, 1, 2, -1, 4], [2, -1, 2, 2, 2]])
        for reduction in ("mean", "sum", "none"):
            for p, weight in itertools.product((1, 2), (None, torch.rand(5))):
                self.same_with_gradients(lambda a, p=p, w=weight, r=reduction: F.multi_margin_loss(a, labels, p, 0.7, w, reduction=r), x)
            self.same_with_gradients(lambda a, r=reduction: F.multilabel_margin_loss(a, targets, reduction=r), x)
            for full in (False, True):
                self.same_with_gradients(lambda a, v, f=full, r=reduction: F.gaussian_nll_loss(a, y, v, f, 0.2, r), x, torch.rand(6, 5))

    def test_sampling_from_a_grid_is_pytorchs(self):
        """Inside, outside, at the border, and at the positions of pixels, where a gradient is that of the right side."""
        image, volume = torch.randn(2, 3, 5, 4).double(), torch.randn(2, 2, 3, 4, 3).double()
        same = F.affine_grid(torch.eye(2, 3).expand(2, 2, 3), [2, 3, 5, 4], align_corners=True)
        grids = [torch.rand(2, 6, 7, 2).double() * 3 - 1.5, same.double()]
        modes = itertools.product(("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection"), (False, True), grids)
        for mode, padding, corners, grid in modes:
            with self.subTest(mode=mode, padding=padding, corners=corners):
                self.same_with_gradients(lambda x, g: F.grid_sample(x, g, mode, padding, corners), image, grid)
        for mode, padding in itertools.product(("bilinear", "nearest"), ("zeros", "border", "reflection")):
            with self.subTest(mode=mode, padding=padding, volume=True):
                self.same_with_gradients(lambda x, g: F.grid_sample(x, g, mode, padding, False), volume, torch.rand(2, 2, 3, 2, 3).double() * 2.6 - 1.3)
        self.same_with_gradients(lambda x, g: torch.grid_sampler(x, g, 0, 1, True), image, grids[0])
        with self.assertRaisesRegex(FrontendError, "bicubic for images alone"), StepFunctions(self.seed):
            F.grid_sample(volume, torch.zeros(2, 2, 2, 2, 3), "bicubic")

    def test_determinants(self):
        a = torch.randn(2, 4, 4)
        for function in (torch.linalg.det, lambda a: torch.linalg.slogdet(a)[1], lambda a: torch.logdet(a @ a.mT), torch.inverse):
            self.same_with_gradients(function, a)

    def test_gradients_of_determinants_have_gradients(self):
        def penalty(function, a):
            slope, = torch.autograd.grad(function(a).sum() + a.pow(3).sum(), a, create_graph=True)
            return torch.autograd.grad(slope.square().sum(), a)[0]

        a = torch.randn(2, 4, 4).requires_grad_()
        for function in (torch.linalg.det, lambda a: torch.linalg.slogdet(a)[1]):
            expected = penalty(function, a)
            with StepFunctions(self.seed), torch.enable_grad():
                torch.testing.assert_close(penalty(function, a), expected, rtol=1e-4, atol=1e-4)

    def test_ctc_is_pytorchs(self):
        scores, labels = torch.randn(9, 4, 6), torch.randint(1, 6, (4, 3))
        labels[1, 1] = labels[1, 0]  # needs a blank between
        lengths, sizes = torch.tensor([9, 9, 7, 2]), torch.tensor([3, 2, 0, 3])
        for reduction, blank in itertools.product(("mean", "sum", "none"), (0, 5)):
            targets = labels if blank == 0 else labels - 1
            loss = lambda s, r=reduction, b=blank, t=targets: F.ctc_loss(F.log_softmax(s, -1), t, lengths, sizes, b, r, zero_infinity=True)
            self.same_with_gradients(loss, scores)
        self.same_with_gradients(lambda s: F.ctc_loss(F.log_softmax(s, -1), labels[0], torch.tensor(9), torch.tensor(3)), scores[:, 0])
        with StepFunctions(self.seed):
            self.assertEqual(float(F.ctc_loss(F.log_softmax(scores, -1), labels, lengths, sizes, reduction="none")[3]), float("inf"))

    def test_other_random_numbers_have_their_distributions(self):
        with StepFunctions(self.seed):
            x = torch.empty(200, 100)
            for drawn, mean, deviation in ((x.clone().normal_(2, 3), 2, 3), (torch.normal(2.0, 3.0, (200, 100)), 2, 3), (x.clone().uniform_(-1, 3), 1, 4 / 12**0.5),
                                           (x.clone().exponential_(2.0), 0.5, 0.5), (torch.randint(0, 9, (200, 100)).float(), 4, (80 / 12) ** 0.5),
                                           (torch.randn(200, 100), 0, 1), (F.alpha_dropout(torch.randn(200, 100), 0.3, True), 0, 1)):
                self.assertAlmostEqual(float(drawn.mean()), mean, delta=0.05 * deviation)
                self.assertAlmostEqual(float(drawn.std()), deviation, delta=0.05 * deviation)
            numbers = torch.randint(3, 7, (1000,))
            self.assertEqual(set(numbers.tolist()), {3, 4, 5, 6})
            self.assertEqual(sorted(torch.randperm(50).tolist()), list(range(50)))
            self.assertNotEqual(torch.randperm(50).tolist(), list(range(50)))
            weights = torch.tensor([[1.0, 2.0, 0.0, 5.0]]).expand(4000, 4)
            self.assertEqual(sorted(set(torch.multinomial(weights, 3)[0].tolist())), [0, 1, 3])
            for drawn in (torch.multinomial(weights, 1), torch.multinomial(weights[0], 4000, replacement=True)):
                shares = torch.bincount(drawn.reshape(-1), minlength=4) / 4000
                torch.testing.assert_close(shares, weights[0] / 8, rtol=0, atol=0.03)
            for drawn in (torch.rand(size=(2, 3), requires_grad=True), torch.randn_like(torch.zeros(2, 3), requires_grad=True)):
                self.assertEqual((tuple(drawn.shape), drawn.requires_grad), ((2, 3), True))
            hard = F.gumbel_softmax(torch.zeros(500, 4), hard=True)
            self.assertEqual(set(hard.unique().tolist()), {0.0, 1.0})
            self.assertAlmostEqual(float(hard.mean(0)[0]), 0.25, delta=0.06)
            slopes = -F.rrelu(-torch.ones(1000), 0.1, 0.3, training=True)
            self.assertGreaterEqual(float(slopes.min()), 0.1)
            self.assertLessEqual(float(slopes.max()), 0.3)
            dropped = F.feature_alpha_dropout(torch.ones(20, 10, 4), 0.5, True)
            self.assertTrue(torch.equal(dropped, dropped[:, :, :1].expand_as(dropped)))

    def test_in_place_functions_write_what_they_change_and_nothing_else(self):
        with StepFunctions(self.seed):
            for write in (F.dropout, F.dropout1d, F.alpha_dropout, F.feature_alpha_dropout, F.rrelu):
                x = -torch.ones(4, 4, 4)
                result = write(x, training=True, inplace=True)
                self.assertTrue(torch.equal(x, result) and not torch.equal(x, -torch.ones(4, 4, 4)), write)
            # What softmax keeps for its gradient is what it gave.
            logits = torch.randn(4, 4, requires_grad=True)
            for write in (F.dropout, F.alpha_dropout, F.feature_alpha_dropout):
                write(logits.softmax(-1), 0.0, training=True, inplace=True).square().sum().backward()

    def test_multi_head_attention_drops_by_hash(self):
        layer, x = nn.MultiheadAttention(8, 2, dropout=0.5, batch_first=True), torch.randn(2, 4, 8)
        outputs = []
        for seed in (7, 7, 8):
            with StepFunctions(torch.tensor([seed, 0], dtype=torch.int32)):
                outputs.append(layer(x, x, x, need_weights=False)[0])
        self.assertTrue(torch.equal(outputs[0], outputs[1]))
        self.assertFalse(torch.equal(outputs[0], outputs[2]))


if __name__ == "__main__":
    unittest.main()
