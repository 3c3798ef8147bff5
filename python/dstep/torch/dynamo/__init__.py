"""torch.compile(f, backend="dstep"): f and its gradients as two steps, and what passes between them."""
