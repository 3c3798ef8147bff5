"""The user's optimizer as a pure function of parameters, gradients and state: one of torch.optim (torch_optim.py), or of somebody else (foreign.py)."""
