"""The checker of proofs: tools/check_proof.py. It shares no code with the prover (prove/)."""
