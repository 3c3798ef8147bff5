"""What the other packages of ds.torch share: checks of arguments, the traced graph, annotations, values known while
tracing."""
