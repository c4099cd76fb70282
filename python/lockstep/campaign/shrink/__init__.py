"""lockstep campaign shrink: reduces a failing case to the smallest launch that fails in the same way, as a capsule."""
