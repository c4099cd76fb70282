#!/usr/bin/env bash
# torch_versions.sh STAGED-PACKAGE [TORCH-VERSION...]: the package under releases of PyTorch, each with the Triton that it demands, in an
# environment of its own (pip brings NVIDIA's libraries along, 5 to 8 GB; it is removed after the run). For each: the examples, the
# 274 checks, the plug-in's tests, pretending to be on a GPU. The rows of docs/versions.md. Exit code 1: something failed.
set -uo pipefail
staged=$(cd "${1:?staged package}" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- 2.8.0 2.9.1 2.10.0 2.11.0 2.12.1 2.14.1 2.15.0
status=0
for version in "$@"; do
  place=$(mktemp -d -t "lockstep-torch-$version-XXXX")
  python=$place/bin/python
  "${LOCKSTEP_PACKAGE_PYTHON:-python3}" -m venv "$place"
  if ! "$python" -m pip install --quiet --no-cache-dir "torch==$version" 'numpy<2.4' pytest hypothesis ml_dtypes; then
    echo "torch $version: not installed"
    status=1
  else
    export PYTHONPATH=$staged TRITON_CACHE_DIR=$place/triton-cache
    "$python" -c "import torch, triton; print(f'torch {torch.__version__}, Triton {triton.__version__}')" || status=1
    for example in "$here"/../../examples/python/*.py; do
      "$python" -m lockstep "$example" >"$place/log" 2>&1 || { echo "  ${example##*/}: exit code $?"; tail -3 "$place/log"; status=1; }
    done
    cd "$here" || exit 1
    for tests in semantics/test_h200_answers.py 'test_backend.py test_autotune.py test_configuration.py test_arguments.py' 'test_as_on_a_gpu.py test_pretend_cuda_api.py test_pretend_tensors.py test_pretend_torch.py'; do
      # shellcheck disable=SC2086
      "$python" -m pytest -q -p no:cacheprovider -W ignore -m 'not campaign' $tests >"$place/log" 2>&1 || status=1
      echo "  ${tests%% *}: $(tail -1 "$place/log")"
      grep -E '^(FAILED|ERROR)' "$place/log"
    done
  fi
  rm -rf "$place"
done
exit "$status"
