"""Every decomposition and every function that ds.torch computes in another way gives what PyTorch's own kernel gives."""
import itertools
import unittest

import torch
import torch.nn.functional as F
from torch import nn

from ds.torch import decompositions
from ds.torch.functions import RandomBits, StepFunctions, _int32

aten = torch.ops.aten


class Operations(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def same(self, got, expected, rtol=1e-5, atol=1e-6):
        torch.testing.assert_close(got, expected, rtol=rtol, atol=atol)

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

    def test_adaptive_average_pool_of_any_size_and_its_gradient(self):
        for size in ((4, 2), (3, 4), (1, 1), (9, 7), (8, 6)):
            x = torch.randn(2, 3, 8, 6)
            self.same(decompositions.adaptive_avg_pool2d(x, size), aten._adaptive_avg_pool2d(x, size))
            gradient = torch.randn(2, 3, *size)
            self.same(decompositions.adaptive_avg_pool2d_backward(gradient, x), aten._adaptive_avg_pool2d_backward(gradient, x))

    def test_bilinear_upsampling_and_its_gradient(self):
        x = torch.randn(2, 3, 5, 4)
        for size, corners, scales in (((10, 8), False, (None, None)), ((7, 9), True, (None, None)), ((3, 2), False, (None, None)), ((1, 1), True, (None, None)),
                                      ((12, 10), False, (2.5, 2.5))):
            got = decompositions.upsample_bilinear2d(x, size, corners, *scales)
            self.same(got, aten.upsample_bilinear2d(x, size, corners, *scales), atol=1e-5)
            gradient = torch.randn_like(got)
            self.same(decompositions.upsample_bilinear2d_backward(gradient, size, x.shape, corners, *scales),
                      aten.upsample_bilinear2d_backward(gradient, size, x.shape, corners, *scales), atol=1e-5)
        self.same(decompositions.upsample_bilinear2d_vec(x, None, False, [2.0, 1.5]), aten.upsample_bilinear2d.vec(x, None, False, [2.0, 1.5]), atol=1e-5)

    def test_scatter_of_values(self):
        x = torch.randn(4, 5, 6)
        for dim, shape in ((1, (4, 3, 6)), (-1, (4, 5, 2)), (0, (3, 5, 6))):
            index = torch.stack([torch.randperm(x.shape[dim])[:shape[dim]] for _ in range(x.numel() // x.shape[dim])])
            index = index.reshape([s for d, s in enumerate(shape) if d != dim % 3] + [shape[dim]]).movedim(-1, dim)
            source = torch.randn(shape)
            self.same(decompositions.scatter(x, dim, index, source), torch.scatter(x, dim, index, source))
            self.same(decompositions.scatter(x, dim, index, 2.0), torch.scatter(x, dim, index, 2.0))

    def test_counts(self):
        x = torch.randint(0, 7, (40,)).float()
        for bins, low, high in ((7, 0, 6), (4, 1, 5), (3, 0, 0)):
            self.same(decompositions.histc(x, bins, low, high), torch.histc(x, bins, low, high))

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

    def test_adaptive_max_pool_gradient(self):
        x, gradient = torch.randn(2, 3, 8, 6), torch.randn(2, 3, 4, 2)
        indices = aten.adaptive_max_pool2d(x, [4, 2])[1]
        self.same(decompositions.adaptive_max_pool2d_backward(gradient, x, indices), aten.adaptive_max_pool2d_backward(gradient, x, indices))
        self.assertIs(decompositions.adaptive_max_pool2d_backward(torch.randn(2, 3, 3, 2), x, indices), NotImplemented)

        for got, want in zip(decompositions.adaptive_max_pool2d(x, [4, 2]), aten.adaptive_max_pool2d(x, [4, 2])):
            self.same(got, want)

    def test_nearest_upsampling(self):
        x = torch.randn(2, 3, 4, 3)
        self.same(decompositions.upsample_nearest2d(x, [8, 9]), aten.upsample_nearest2d(x, [8, 9]))
        self.same(decompositions.upsample_nearest2d(x, None, [2.0, 3.0]), aten.upsample_nearest2d(x, [8, 9]))
        gradient = torch.randn(2, 3, 8, 9)
        self.same(decompositions.upsample_nearest2d_backward(gradient, [8, 9], [2, 3, 4, 3]),
                  aten.upsample_nearest2d_backward(gradient, [8, 9], [2, 3, 4, 3]))

    def test_gather_and_scatter_add(self):
        x = torch.randn(4, 5, 6)
        for dim, shape in ((1, (4, 3, 6)), (-1, (4, 5, 2)), (0, (7, 5, 6)), (1, (2, 3, 4))):
            index = torch.randint(0, x.shape[dim], shape)
            self.same(decompositions.gather(x, dim, index), torch.gather(x, dim, index))
            if shape != (2, 3, 4):
                source = torch.randn(shape)
                self.same(decompositions.scatter_add(x, dim, index, source), torch.scatter_add(x, dim, index, source))

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
            self.assertTrue(torch.equal(F.dropout(x, 0.25, training=False), x))
            self.assertTrue(torch.equal(F.dropout(x, 1.0), torch.zeros_like(x)))
        self.assertEqual(set(y.unique().tolist()), {0.0, float(torch.tensor(1 / 0.75))})
        self.assertAlmostEqual(float((y == 0).float().mean()), 0.25, delta=0.02)
        self.assertTrue(torch.equal(channels, channels[:, :, :1, :1].expand_as(channels)))

    def test_attention_is_pytorchs(self):
        query, key, value = torch.randn(2, 4, 5, 8), torch.randn(2, 2, 5, 8), torch.randn(2, 2, 5, 8)
        wide = [t.repeat_interleave(2, 1) for t in (key, value)]
        mask = torch.rand(5, 5) > 0.3
        mask[:, 0] = True
        for arguments, options in (((query, *wide), {}), ((query, *wide), {"is_causal": True}), ((query, *wide), {"attn_mask": mask}),
                                   ((query, *wide), {"attn_mask": torch.randn(5, 5), "scale": 0.3}), ((query, key, value), {"enable_gqa": True})):
            expected = F.scaled_dot_product_attention(*arguments, **options)
            with StepFunctions(self.seed):
                torch.testing.assert_close(F.scaled_dot_product_attention(*arguments, **options), expected, rtol=1e-4, atol=1e-5)

    def test_recurrent_layers_are_pytorchs(self):
        for kind, options in ((nn.LSTM, {"num_layers": 2}), (nn.LSTM, {"bidirectional": True, "batch_first": True}), (nn.GRU, {"num_layers": 2}),
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
