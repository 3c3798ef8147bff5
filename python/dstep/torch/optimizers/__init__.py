"""The user's optimizer as a pure function of parameters, gradients and state: of torch.optim (torch_optim.py), or
another library's (foreign.py)."""
