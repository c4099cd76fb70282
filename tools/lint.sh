#!/usr/bin/env bash
# lint.sh fast: layers, sizes, names that meet in unity builds (in ./dev test). lint.sh: those, and format, spelling, shell and Python of the changed files
# (against the given revision, default HEAD; `all` for every file). lint.sh tidy: clang-tidy. A missing tool is named, skipped.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3

failed=0
run() {
  echo "lint: $1"
  "${@:2}" || failed=1
}
skip() { echo "lint: $1 skipped: $2 is not installed"; }

run layers python3 tools/check_layers.py
run sizes python3 tools/check_sizes.py
run codes python3 tools/check_codes.py
run rules python3 tools/check_rules.py
run unity python3 tools/check_unity.py
run includes python3 tools/check_includes.py
run house python3 tools/house.py --check
run words python3 tools/check_words.py --check
run name python3 tools/check_name.py
run versions python3 tools/check_versions.py
if [ "${1:-}" = fast ]; then exit "$failed"; fi

# lint.sh tidy [all|REVISION]: clang-tidy on the changed C++ files, with clang's own compile commands (slow).
if [ "${1:-}" = tidy ]; then
  cmake --preset tidy >/dev/null || exit 3
  if [ "${2:-}" = all ]; then mapfile -t tidied < <(git ls-files '*.cpp'); else mapfile -t tidied < <(git diff --name-only --diff-filter=d "${2:-HEAD}" -- '*.cpp'); fi
  [ "${#tidied[@]}" -eq 0 ] || run clang-tidy clang-tidy-19 --quiet -p build-tidy "${tidied[@]}"
  exit "$failed"
fi

run commits python3 tools/check_commits.py

files_of() {
  if [ "${1:-}" = all ]; then git ls-files; else git diff --name-only --diff-filter=d "${1:-HEAD}"; git ls-files -o --exclude-standard; fi
}
mapfile -t files < <(files_of "${1:-}" | sort -u)
matching() { printf '%s\n' "${files[@]}" | grep -E "$1" || true; }

mapfile -t cpp < <(matching '\.(cpp|h)$')
mapfile -t python < <(matching '\.py$')
mapfile -t shell < <(matching '(\.sh|^dev|^\.ci/run)$')
mapfile -t text < <(matching '\.(cpp|h|py|md|sh|cmake|txt)$')

if command -v clang-format-19 >/dev/null; then
  [ "${#cpp[@]}" -eq 0 ] || run clang-format clang-format-19 --dry-run --Werror "${cpp[@]}"
else skip clang-format clang-format-19; fi
if command -v codespell >/dev/null; then
  [ "${#text[@]}" -eq 0 ] || run codespell codespell -q 3 --ignore-words tools/codespell_words.txt "${text[@]}"
else skip codespell codespell; fi
if command -v shellcheck >/dev/null; then
  [ "${#shell[@]}" -eq 0 ] || run shellcheck shellcheck "${shell[@]}"
else skip shellcheck shellcheck; fi
if command -v ruff >/dev/null; then
  [ "${#python[@]}" -eq 0 ] || run ruff ruff check "${python[@]}"
else skip ruff ruff; fi
exit "$failed"
