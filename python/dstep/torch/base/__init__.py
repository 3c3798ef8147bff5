"""The base of the other packages of dstep.torch: checks of arguments, the traced graph, annotations, values known while
tracing."""
