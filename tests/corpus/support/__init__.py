"""What the corpus tests share: comparison with float64 references, bare imports of kernel modules. Holds no test."""
