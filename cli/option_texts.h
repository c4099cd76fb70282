// What `lockstep COMMAND --help` says below the options, and how a command is called. For options.cpp only.
#pragma once

namespace lockstep::cli {

inline constexpr const char* kRunFooter = R"(
Arguments, NAME=VALUE each:
  n=98432  eps=1e-5  flag=true  x=none  n=5:i64     scalars, typed as Triton specialises them unless a type is given
  BLOCK=1024                                        constexpr parameters
  x=randn:f32[1823,781]   zeros ones rand arange empty  full(3):f32[8]  randint(0,9):i64[8]
  x=@in.npy   x=@data.npz:key   x=@bits.npy:bf16    from files
  x=view(y, offset=1, shape=[4,4], strides=[8,1])   a window on another argument's storage
  x=desc(y, block=[16,32], padding=nan)             a tensor descriptor of another argument; block for .py kernels
  x=addresses(y, z)                                 a table of 64-bit addresses of other arguments
  t=(randn:f32[64], 5, (none, 1))                   a tuple; its elements are t.0, t.1, t.2.0: --print t.0
  v=(data=zeros:f32[8], size=8)                     a NamedTuple; its elements are v.data and v.size
A grid is one to three expressions over the arguments: --grid "cdiv(n, BLOCK), 2"

Exit codes: 0 clean, 1 findings or a failed --expect, 2 usage or source error, 3 environment, 4 not supported yet,
  5 stopped by --timeout or --max-memory, 70 a defect of Lockstep, 130 interrupted.
Example:
  lockstep run examples/softmax.py::softmax --grid rows x=randn:f32[8,100] out=empty:f32[8,100] \
    x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128 --print out)";

inline constexpr const char* kEncloseFooter = R"(
Prints for each tensor that the kernel writes how many elements are certain and how wide the bounds of the others are,
in units in the last place, and what is unbounded with the ops that caused it. Rules and limits: docs/differential.md.
Exit codes: as for `lockstep run`; 1 if an element of --against lies outside.
Example:
  lockstep enclose examples/softmax.py::softmax --grid rows x=randn:f32[8,100] out=empty:f32[8,100] \
    x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128 --against out=@gpu.npy)";

inline constexpr const char* kDiffFooter = R"(
Example:
  lockstep diff examples/softmax.py::softmax --grid rows x=randn:f32[8,100] out=empty:f32[8,100] \
    x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128)";

inline constexpr const char* kReplayFooter = R"(
A capsule is made by lockstep.record() or `python -m lockstep record` (docs/capsules.md). The launch runs in the
interpreter; what was recorded is held against the bounds of every legal result (docs/differential.md).
With - for the files, their names are read from standard input, one a line; each is answered before the next is read.
Exit codes: as for `lockstep run`; 1 if a recorded element lies outside. Of several capsules, the highest.
Example:
  lockstep replay 0000-add.capsule)";

inline constexpr const char* kDebugFooter = R"(
Arguments are those of `lockstep run`. In the session `help` lists the commands (docs/debugging.md).
Exit codes: 0, 1 if a finding of tier error was made, 2 if a command of a script could not be done (--batch).
Example:
  lockstep debug examples/softmax.py::softmax --grid rows x=randn:f32[8,100] out=empty:f32[8,100] \
    x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128)";

inline constexpr const char* kDapFooter = R"(
Speaks over standard input and output unless --listen is given. How editors are set up: docs/editors.md.
Exit codes: 0, 2 if what comes is no message of the protocol, 3 if the port cannot be had.
Example:
  lockstep dap --listen 4711)";

inline constexpr const char* kServeFooter = R"(
The launch's words are those of `lockstep debug`, after the options of `serve`. The address that is printed has a token
in it: whoever knows it can run kernels as you. Ctrl-C ends it. docs/page.md tells what the page shows.
Exit codes: 2 if the launch's words are wrong, 3 if the port cannot be had, 130 when it was ended.
Example:
  lockstep serve --listen 8080 examples/softmax.py::softmax --grid rows x=randn:f32[8,100] out=empty:f32[8,100] \
    x_stride=100 out_stride=100 rows=8 columns=100 BLOCK=128)";

inline constexpr const char* kTraceFooter = R"(
Arguments are those of `lockstep debug`. The file opens in a browser without a server; docs/page.md tells what it shows.
Exit codes: as for `lockstep run`; 1 if a finding of tier error was made, the file is written nevertheless.
Example:
  lockstep trace launch.capsule --html launch.html)";

inline constexpr const char* kEmitFooter = R"(
Example:
  lockstep emit kernel.py::add --sig "x=*fp32,n=i32" --attr x=16,n=16 BLOCK=64 --to ttir)";

inline constexpr const char* kCheckLanguageFooter = R"(
Any number of files, folders and packages. Constructs that Triton does not compile, names that do not exist, module-level names that need --global, calls that fit
no signature, and what Lockstep does not support yet. Says nothing about types: docs/python.md.
Exit codes: 0 nothing found, 2 something is wrong, 4 only what is not supported yet.
Example:
  lockstep check-language examples/softmax.py)";

inline constexpr const char* kLaunchUsage = " FILE.py[::KERNEL] --grid X[,Y[,Z]] NAME=VALUE ...";
inline constexpr const char* kReplayUsage = " FILE.capsule ... | -";
inline constexpr const char* kEmitUsage = " FILE.py[::KERNEL] --sig NAME=TYPE,... NAME=VALUE ...";

inline constexpr const char* kMainFooter = R"(
`lockstep COMMAND --help` tells more. The log goes to standard error: --log-level or LOCKSTEP_LOG.)";

}  // namespace lockstep::cli
