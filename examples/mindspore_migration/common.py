"""What all three scripts share: data, initial values and settings."""
import numpy as np

FEATURES, HIDDEN, CLASSES = 16, 32, 4
SAMPLES, BATCH, EPOCHS = 256, 16, 3  # a batch is that of one process
LEARNING_RATE, MOMENTUM, WEIGHT_DECAY = 0.1, 0.9, 1e-4


def samples():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((SAMPLES, FEATURES), np.float32)
    return x, (x @ rng.standard_normal((FEATURES, CLASSES), np.float32)).argmax(1).astype(np.int32)


def initial():
    """By the names that MindSpore and PyTorch both give to the layers of a sequence: 0 and 2 have weights."""
    rng = np.random.default_rng(1)
    normal = lambda rows, columns: rng.standard_normal((rows, columns),
                                                       np.float32) / np.float32(columns) ** np.float32(0.5)
    return {"0.weight": normal(HIDDEN, FEATURES), "0.bias": np.zeros(HIDDEN, np.float32),
            "2.weight": normal(CLASSES, HIDDEN), "2.bias": np.zeros(CLASSES, np.float32)}
