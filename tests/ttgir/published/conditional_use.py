# triton-lang/triton#8139: a loaded value that only a branch uses is read after the next copy into its buffer was started.
# launch: --grid 1 places=arange:i32[17] out=zeros:i32[17] n=17 yes=2
# wrong: pipeline finding LS410
# in: 3.5
# not in: 3.6 3.7 3.8 3.9
import triton
import triton.language as tl


@triton.jit
def conditional_use(places, out, n, yes):
    for i in tl.range(0, n, num_stages=2):
        place = tl.load(places + i + tl.arange(0, 1))
        if yes:
            tl.store(out + place, i + 1)
