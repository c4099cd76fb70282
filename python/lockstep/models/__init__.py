"""Models that torch.compile compiles: where their generated kernels come from, and whether results are the graph's.

`annotate` writes a comment before each launch in the code that Inductor generates; `origin` reads it where a launch is
made. `judge` compares what a kernel stored with bounds of the FX nodes that it implements. `command` is `lockstep model`."""
