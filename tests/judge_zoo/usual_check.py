"""The check that harnesses of this kind make, in our own words, as a thing to measure: five draws of get_inputs under seeds of one
generator, allclose at one tolerance for rtol and atol. The candidate runs on Lockstep in the same process.
`zoo.py --usual` calls checked() for all of the zoo."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

TOLERANCES = (1e-2, 1e-4)
DRAWS = 5


def load(path, name):
    import importlib.util

    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(reference_path, candidate_path):
    import torch

    reference, candidate = load(reference_path, "reference"), load(candidate_path, "candidate")
    torch.manual_seed(42)
    seeds = [int(torch.randint(0, 2**31, ())) for _ in range(DRAWS)]
    init = reference.get_init_inputs()
    torch.manual_seed(42)
    model = reference.Model(*init).cuda()
    torch.manual_seed(42)
    new = candidate.ModelNew(*init).cuda()
    accepted = dict.fromkeys(TOLERANCES, True)
    model.eval(), new.eval()
    with torch.no_grad():
        for seed in seeds:
            torch.manual_seed(seed)
            inputs = [one.cuda() if torch.is_tensor(one) else one for one in reference.get_inputs()]
            right, got = model(*inputs), new(*inputs)
            for tolerance in TOLERANCES:
                accepted[tolerance] &= right.shape == got.shape and bool(
                    torch.allclose(right.double(), got.double(), rtol=tolerance, atol=tolerance))
    print(json.dumps({str(key): one for key, one in accepted.items()}))


def judged_apart(reference, candidate):
    """main() in a child of this process, which has torch imported: a candidate that ends or prints changes nothing here."""
    with tempfile.TemporaryFile() as told:
        pid = os.fork()
        if pid == 0:
            os.dup2(told.fileno(), 1)
            signal.alarm(60)
            try:
                main(reference, candidate)
                sys.stdout.flush()
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        told.seek(0)
        lines = told.read().decode().strip().splitlines()
    return json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}


def checked(pairs):
    """[{tolerance: accepted}] of pairs of paths; a program that raises or ends is not accepted."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as told:
        json.dump([[str(one) for one in pair] for pair in pairs], told)
        told.flush()
        words = [sys.executable, "-m", "lockstep", "--findings", "ignore", __file__, told.name]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.strip().splitlines()[-1])


if __name__ == "__main__":
    import torch
    import triton  # noqa: F401

    print(json.dumps([judged_apart(*pair) for pair in json.loads(pathlib.Path(sys.argv[1]).read_text())]))
