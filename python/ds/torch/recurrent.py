"""LSTM, GRU and RNN layers as one cell per position, from matmuls and elementwise functions.

PyTorch's own are kernels with an in-place addition that functionalisation keeps. The signatures are those of torch.lstm,
torch.gru and their cells, after the source of random bits. Sequences packed by pack_padded_sequence are refused.
"""
import torch

from ..frontend.errors import FrontendError


def _linear(x, weight, bias):
    product = x @ weight.t()
    return product if bias is None else product + bias


def lstm_cell(random, x, state, w_ih, w_hh, b_ih=None, b_hh=None):
    h, c = state
    i, f, g, o = (_linear(x, w_ih, b_ih) + _linear(h, w_hh, b_hh)).chunk(4, -1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def gru_cell(random, x, h, w_ih, w_hh, b_ih=None, b_hh=None):
    r_in, z_in, n_in = _linear(x, w_ih, b_ih).chunk(3, -1)
    r_h, z_h, n_h = _linear(h, w_hh, b_hh).chunk(3, -1)
    r, z = torch.sigmoid(r_in + r_h), torch.sigmoid(z_in + z_h)
    n = torch.tanh(n_in + r * n_h)
    return n + z * (h - n)


def rnn_cell(activation):
    def cell(random, x, h, w_ih, w_hh, b_ih=None, b_hh=None):
        return activation(_linear(x, w_ih, b_ih) + _linear(h, w_hh, b_hh))
    return cell


def _direction(cell, random, steps, state, weights, reverse):
    """One layer in one direction: the outputs in the order of the input, and the last state."""
    outputs = []
    for x in (reversed(steps) if reverse else steps):
        state = cell(random, x, state, *weights)
        outputs.append(state[0] if isinstance(state, tuple) else state)
    return (outputs[::-1] if reverse else outputs), state


def _layers(cell, random, x, states, weights, has_biases, num_layers, dropout, training, bidirectional, batch_first):
    from .functions import _dropped
    steps = list(x.unbind(1 if batch_first else 0))
    directions, per_cell, last = 2 if bidirectional else 1, 4 if has_biases else 2, []
    for layer in range(num_layers):
        outputs = []
        for direction in range(directions):
            k = layer * directions + direction
            found, state = _direction(cell, random, steps, states[k], weights[k * per_cell:(k + 1) * per_cell], direction == 1)
            outputs.append(found)
            last.append(state)
        steps = [torch.cat(both, -1) for both in zip(*outputs)] if bidirectional else outputs[0]
        if dropout and training and layer + 1 < num_layers:
            steps = [_dropped(random, step, dropout, step.shape) for step in steps]
    return torch.stack(steps, 1 if batch_first else 0), last


def _refuse_packed(arguments, expected):
    if not isinstance(arguments[-1], bool) or len(arguments) != expected:
        raise FrontendError("a recurrent layer is given a packed sequence, expected a padded tensor; shapes of a step are fixed")


def _check_weights(weights, has_biases, num_layers, bidirectional):
    if len(weights) != num_layers * (2 if bidirectional else 1) * (4 if has_biases else 2):
        raise FrontendError("a recurrent layer has a projection (proj_size), which is not supported")


def lstm(random, x, states, weights, *options):
    _refuse_packed(options, 6)
    has_biases, num_layers, dropout, training, bidirectional, batch_first = options
    _check_weights(weights, has_biases, num_layers, bidirectional)
    pairs = list(zip(states[0].unbind(0), states[1].unbind(0)))
    outputs, last = _layers(lstm_cell, random, x, pairs, weights, *options)
    return outputs, torch.stack([h for h, _ in last]), torch.stack([c for _, c in last])


def _one_state(cell):
    def layers(random, x, state, weights, *options):
        _refuse_packed(options, 6)
        outputs, last = _layers(cell, random, x, list(state.unbind(0)), weights, *options)
        return outputs, torch.stack(last)
    return layers


gru = _one_state(gru_cell)


def rnn(activation):
    return _one_state(rnn_cell(activation))
