#!/usr/bin/env bash
# smoke.sh LOCKSTEP: kernels of examples/ by a program that another compiler made. The sum of their results' bytes is printed at
# the end: it is the same with every compiler.
set -euo pipefail
lockstep=$1
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sizes=('x=randn:f32[1823,781]' 'out=empty:f32[1823,781]' x_stride=781 out_stride=781 rows=1823 columns=781)
"$lockstep" run examples/softmax.py::softmax --grid rows "${sizes[@]}" BLOCK=1024 --save "out=@$folder/softmax.npy" >"$folder/log"
"$lockstep" run examples/ttir/softmax.ttir --grid rows "${sizes[@]}" --save "out=@$folder/from_ttir.npy" >>"$folder/log"
cmp "$folder/softmax.npy" "$folder/from_ttir.npy"
code=0
"$lockstep" run examples/softmax_missing_mask.py::softmax --grid rows "${sizes[@]}" BLOCK=1024 >"$folder/finding" 2>&1 || code=$?
[ "$code" = 1 ] && grep -q 'out-of-bounds' "$folder/finding" || { echo "smoke: the forgotten mask was not found (exit code $code)"; exit 1; }
"$lockstep" run examples/matmul.py::matmul --grid "cdiv(m, TILE_M) * cdiv(n, TILE_N)" 'a=randn:f16[200,176]' 'b=randn:f16[176,144]' \
  'out=empty:f16[200,144]' m=200 n=144 k=176 a_row=176 a_column=1 b_row=144 b_column=1 out_row=144 out_column=1 \
  TILE_M=64 TILE_N=32 TILE_K=32 GROUP=2 --save "out=@$folder/matmul.npy" >>"$folder/log"
echo "smoke: softmax twice, a forgotten mask, matmul: ok; results $(cat "$folder/softmax.npy" "$folder/matmul.npy" | sha256sum | cut -c1-16)"
