"""Report 5: arguments that overlap are one storage; programs see each other's stores in program order (a GPU races there)."""

import lockstep
import numpy as np
import torch
from fault_kernels import add_one, chain

both = torch.arange(16.0, device="cuda")  # two views of one storage
add_one[(1,)](both[0:8], both[8:16], 8, BLOCK=8)
assert both.tolist() == [*range(8), *range(1, 9)]

over = torch.arange(12.0, device="cuda")  # out overlaps x by half
with lockstep.reports() as seen:
    add_one[(2,)](over[0:8], over[4:12], 8, BLOCK=4)
assert over.tolist() == [0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5], over  # program 1 reads what program 0 stored
assert not any(finding.tier == "error" for report in seen for finding in report.findings)

place = torch.arange(8.0, device="cuda")  # the same tensor twice
add_one[(2,)](place, place, 8, BLOCK=4)
assert place.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]

serial = torch.zeros(9, dtype=torch.int32, device="cuda")
chain[(8,)](serial)
assert serial.tolist() == list(range(9)), serial

many = torch.zeros(4097, dtype=torch.int32, device="cuda")  # any number of threads
for threads in (1, 2, 7):
    with lockstep.options(threads=threads):
        many.zero_()
        chain[(4096,)](many)
        assert torch.equal(many, torch.arange(4097, dtype=torch.int32, device="cuda"))

array = np.arange(12, dtype=np.float32)  # an array, and a tensor on its memory
add_one[(2,)](array[0:8], torch.from_numpy(array)[4:12], 8, BLOCK=4)
assert array.tolist() == [0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5]
print("aliased")
