"""Lockstep as an out-of-tree Triton backend: the entry point `lockstep` of the group `triton.backends` names this package.

Triton imports `compiler` and `driver` while it is being imported itself, so those two import nothing but Triton's own
backend modules; torch, the native engine and Triton's compiler are met when a kernel is compiled or launched. Which
driver is active is decided in `driver` (default) and `lockstep.activation` (on request); `patches` has all changes to
Triton's own classes."""
