"""What the other packages of dstep.torch share: checks of arguments, the traced graph, annotations, values known while
tracing."""
