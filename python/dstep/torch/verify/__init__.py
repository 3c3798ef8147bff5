"""The check of a capture: the traced step beside the user's loop (beside.py), and the causes of a difference
(causes.py)."""
