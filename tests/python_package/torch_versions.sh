#!/usr/bin/env bash
# torch_versions.sh STAGED-PACKAGE [TORCH-VERSION...]: the package under releases of PyTorch, each with the Triton that it demands.
#
# Each release gets an environment of its own, which is removed after the run: pip brings NVIDIA's libraries along, 5 to 8 GB and some
# minutes, so that this belongs to no `./dev test`. LOCKSTEP_TORCHES=FOLDER: an environment FOLDER/VERSION that is there is used and kept.
# For each release: the examples, the 274 checks, the plug-in's tests, pretending to be on a GPU, torch.compile; the output is a row
# of docs/versions.md. Exit code 1: something failed, or a release could not be had.
set -uo pipefail
staged=$(cd "${1:?staged package}" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- 2.8.0 2.9.1 2.10.0 2.11.0 2.12.1 2.14.1 2.15.0
checks=(h200_answers/test_h200_answers.py)
plug_in=(test_backend.py test_autotune.py test_configuration.py test_arguments.py)
pretence=(test_as_on_a_gpu.py test_pretend_cuda_api.py test_pretend_tensors.py test_pretend_torch.py test_inductor.py)

# install VERSION PLACE
install() {
  "${LOCKSTEP_PACKAGE_PYTHON:-python3}" -m venv "$2" &&
    "$2/bin/python" -m pip install --quiet --no-cache-dir "torch==$1" 'numpy<2.4' pytest hypothesis ml_dtypes
}

# examples: prints how many of the six run to their end, without a word about cuda changed. The failed ones go to standard error.
examples() {
  local done=0 all=0 example
  for example in "$here"/../../examples/python/*.py; do
    all=$((all + 1))
    if "$python" -m lockstep "$example" >"$place/log" 2>&1; then done=$((done + 1)); else tail -3 "$place/log" >&2; fi
  done
  echo "$done of $all"
  [ "$done" = "$all" ]
}

# pytest_counts FILE...: prints the counts of pytest's last line. The failed ones go to standard error.
pytest_counts() {
  "$python" -m pytest -q -p no:cacheprovider -W ignore -m 'not campaign' "$@" >"$place/log" 2>&1
  local code=$?
  grep -E '^(FAILED|ERROR)' "$place/log" >&2
  tail -1 "$place/log" | sed -E 's/ in [0-9.]+s.*//; s/(, )?[0-9]+ deselected//'
  return "$code"
}

# try PLACE: the row of one release
try() {
  place=$1 python=$1/bin/python
  export PYTHONPATH=$staged TRITON_CACHE_DIR=$place/triton-cache
  local row part code=0
  row=$("$python" -c "import torch, triton; print(f'| {torch.__version__} | {triton.__version__} |')") || return 1
  row+=" $(examples) |" || code=1
  for part in checks plug_in pretence; do
    local -n files=$part
    row+=" $(pytest_counts "${files[@]}") |" || code=1
  done
  echo "$row"
  return "$code"
}

cd "$here" || exit 1
status=0
for version in "$@"; do
  if [ -n "${LOCKSTEP_TORCHES:-}" ] && [ -d "$LOCKSTEP_TORCHES/$version" ]; then
    try "$LOCKSTEP_TORCHES/$version" || status=1
    continue
  fi
  own=$(mktemp -d -t "lockstep-torch-$version-XXXX")
  if install "$version" "$own"; then
    try "$own" || status=1
  else
    echo "torch $version: not installed"
    status=1
  fi
  rm -rf "$own"
done
exit "$status"
