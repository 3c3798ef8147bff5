"""LSTM, GRU and RNN layers as one cell per position, from matmuls and elementwise functions.

PyTorch's own are kernels with an in-place addition that functionalisation keeps. The part of a layer that depends on
its input alone is one product over all positions, and so are its gradients; only the part that depends on the state
runs cell by cell. The signatures are those of torch.lstm, torch.gru and their cells, after the source of random bits.
Sequences packed by pack_padded_sequence are refused.
"""
import torch

from ...base.errors import FrontendError
from .bits import dropped


def _linear(x, weight, bias):
    product = x @ weight.t()
    return product if bias is None else product + bias


# A cell gets the product of its input, and the state.
def _lstm(gates, state, w_hh, b_hh=None, w_hr=None):
    """`w_hr` projects the output (proj_size)."""
    h, c = state
    i, f, g, o = (gates + _linear(h, w_hh, b_hh)).chunk(4, -1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    h = torch.sigmoid(o) * torch.tanh(c)
    return h if w_hr is None else _linear(h, w_hr, None), c


def _gru(gates, h, w_hh, b_hh=None):
    r_in, z_in, n_in = gates.chunk(3, -1)
    r_h, z_h, n_h = _linear(h, w_hh, b_hh).chunk(3, -1)
    r, z = torch.sigmoid(r_in + r_h), torch.sigmoid(z_in + z_h)
    n = torch.tanh(n_in + r * n_h)
    return n + z * (h - n)


def _rnn(activation):
    return lambda gates, h, w_hh, b_hh=None: activation(gates + _linear(h, w_hh, b_hh))


def _single(cell):
    return lambda random, x, state, w_ih, w_hh, b_ih=None, b_hh=None: cell(_linear(x, w_ih, b_ih), state, w_hh, b_hh)


lstm_cell, gru_cell = _single(_lstm), _single(_gru)


def rnn_cell(activation):
    return _single(_rnn(activation))


def _direction(cell, gates, state, weights, reverse):
    """Runs one layer in one direction; returns the outputs in the order of the input, and the last state."""
    outputs = []
    for now in (reversed(gates) if reverse else gates):
        state = cell(now, state, *weights)
        outputs.append(state[0] if isinstance(state, tuple) else state)
    return (outputs[::-1] if reverse else outputs), state


def _layers(cell, random, x, states, weights, has_biases, num_layers, dropout, training, bidirectional, batch_first):
    time, directions, last = 1 if batch_first else 0, 2 if bidirectional else 1, []
    per_cell = len(weights) // (num_layers * directions)
    for layer in range(num_layers):
        if dropout and training and layer:
            x = dropped(random, x, dropout, x.shape)
        outputs = []
        for direction in range(directions):
            k = layer * directions + direction
            w_ih, w_hh, *others = weights[k * per_cell:(k + 1) * per_cell]
            b_ih, b_hh, *projection = others if has_biases else [None, None, *others]
            gates = _linear(x, w_ih, b_ih).unbind(time)
            found, state = _direction(cell, gates, states[k], [w_hh, b_hh, *projection], direction == 1)
            outputs.append(torch.stack(found, time))
            last.append(state)
        x = torch.cat(outputs, -1) if bidirectional else outputs[0]
    return x, last


def _refuse_packed(has_biases):
    """Refuses a packed sequence, which has the number of samples of each position before the states, and the weights in
    place of a padded sequence's flag."""
    if not isinstance(has_biases, bool):
        raise FrontendError("a recurrent layer is given a packed sequence, expected a padded tensor; shapes of a step "
                            "are fixed")


def lstm(random, x, states, weights, *options):
    _refuse_packed(options[0])
    pairs = list(zip(states[0].unbind(0), states[1].unbind(0)))
    outputs, last = _layers(_lstm, random, x, pairs, weights, *options)
    return outputs, torch.stack([h for h, _ in last]), torch.stack([c for _, c in last])


def _one_state(cell):
    def layers(random, x, state, weights, *options):
        _refuse_packed(options[0])
        outputs, last = _layers(cell, random, x, list(state.unbind(0)), weights, *options)
        return outputs, torch.stack(last)
    return layers


gru = _one_state(_gru)


def rnn(activation):
    return _one_state(_rnn(activation))
