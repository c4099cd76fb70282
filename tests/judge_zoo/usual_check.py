"""The check that harnesses of this kind make, in our own words, as a thing to measure: five draws of get_inputs under seeds of one
generator, allclose at one tolerance for rtol and atol. The candidate runs on Lockstep in the same process.
`python -m lockstep usual_check.py REFERENCE.py CANDIDATE.py` prints JSON: tolerance -> accepted."""

import json
import pathlib
import subprocess
import sys

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


def checked(task, program):
    """{tolerance: accepted} of a program of the zoo; a program that raises or ends is not accepted."""
    reference = pathlib.Path(__file__).parent / task / "reference.py"
    words = [sys.executable, "-m", "lockstep", "--findings", "ignore", __file__, str(reference), str(program)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    lines = done.stdout.strip().splitlines()
    return json.loads(lines[-1]) if done.returncode == 0 and lines and lines[-1].startswith("{") else {}


if __name__ == "__main__":
    main(*sys.argv[1:])
