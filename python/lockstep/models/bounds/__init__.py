"""Bounds of FX nodes: every value that a kernel may store for a node, given what it read.

A node's value is computed in f64 as an interval of each element (`interval`), by a rule for its op (`elementwise`, `reductions`,
`movement`, `products`); `evaluate` asks for a node and stops at what is in memory. The bounds hold for any order of a sum, with
and without fused multiply-adds, and for the functions of the GPU (`interval.ULPS`)."""
