"""A training step, or a forward pass, as a flat function of tensors (capture.py), and its export."""
