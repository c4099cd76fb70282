#!/usr/bin/env bash
# zlib_source.sh FOLDER: zlib's C sources, unpacked into FOLDER, from the mirror of this machine's apt (the system's own suite;
# signatures are checked). Nothing is installed. The wheels compile them along: the system's libz.a is not made for libraries.
set -euo pipefail
folder=$(realpath -m "$1")
[ ! -f "$folder/deflate.c" ] || exit 0
command -v apt-get >/dev/null || {
  echo "error: no apt-get here. hint: unpack zlib's sources into $folder yourself" >&2
  exit 3
}
read -r mirror suite origin < <(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(ORIGIN)' 'Created-By: Packages' |
  awk '$2 !~ /-/' | head -1) || true
if [ -z "${mirror:-}" ]; then
  echo "error: apt has no list of packages. hint: apt-get update, or unpack zlib's sources into $folder yourself" >&2
  exit 3
fi
state=$folder.apt
mkdir -p "$state"/{lists/partial,archives/partial,sources}
: >"$state/status"
cat >"$state/sources/suite.sources" <<TEXT
Types: deb-src
URIs: $mirror
Suites: $suite
Components: main
Signed-By: /usr/share/keyrings/${origin,,}-archive-keyring.gpg
TEXT
options=(-qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$state/sources" -o "Dir::State::lists=$state/lists"
  -o "Dir::State::status=$state/status" -o "Dir::Cache::archives=$state/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
  -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
(cd "$state" && apt-get "${options[@]}" source --download-only zlib)
mkdir -p "$folder"
tar -xf "$state"/zlib_*.orig.tar.* -C "$folder" --strip-components 1
rm -rf "$state"
