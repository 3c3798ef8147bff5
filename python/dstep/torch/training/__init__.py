"""`data_parallel`: runs of an exported step on ranks, which exchange values with the user's model and optimizer."""
