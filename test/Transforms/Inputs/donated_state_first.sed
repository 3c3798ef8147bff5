# Makes of donated_params_first.mlir what JAX exports where the step returns its state before its parameters.
s/@jit_train/@jit_state_first/
s/result\[0\]\[/result[0][0].trace[/g
s/result\[1\]\[0\]\.trace/result[1]/g
s/return \(%69.*%72\), \(%51.*%60\), /return \2, \1, /
