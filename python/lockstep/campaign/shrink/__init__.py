"""lockstep campaign shrink: from a case that failed to the least launch that fails in the same way, as a capsule."""
