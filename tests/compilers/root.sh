#!/usr/bin/env bash
# root.sh SUITE ROOT PACKAGES...: unpacks packages of a Debian suite, and all that they depend on, into ROOT. Nothing is installed: no
# script of a package runs, the system's packages stay as they are. The mirror is that of this machine's apt; signatures are checked.
# LOCKSTEP_ARCHITECTURE: another than this machine's, in Debian's words (arm64).
set -euo pipefail
suite=$1 root=$2 architecture=${LOCKSTEP_ARCHITECTURE:-$(dpkg --print-architecture)}
shift 2
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(ORIGIN)' 'Created-By: Packages' 2>/dev/null |
  awk '$3 == "Debian" && $2 !~ /security|updates|backports/ { print $1; exit }')
if [ -z "$mirror" ]; then
  echo "skipped: apt has no mirror of Debian here (after apt-get update)"
  exit 77
fi
state=$root.apt
mkdir -p "$root" "$state"/{lists/partial,archives/partial,sources}
# A root that was deleted has nothing.
if [ ! -d "$root/usr" ] || [ ! -f "$state/status" ]; then : >"$state/status"; fi
cat >"$state/sources/suite.sources" <<TEXT
Types: deb
URIs: $mirror
Suites: $suite
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
TEXT
options=(-qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$state/sources" -o "Dir::State::lists=$state/lists"
  -o "Dir::State::status=$state/status" -o "Dir::Cache::archives=$state/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
  -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o APT::Install-Recommends=false -o Acquire::Languages=none -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
apt-get "${options[@]}" install --download-only -y "$@"
for package in "$state"/archives/*.deb; do
  [ -e "$package" ] || continue
  dpkg -x "$package" "$root"
  { dpkg-deb -f "$package"; printf 'Status: install ok installed\n\n'; } >>"$state/status"  # a second compiler brings only itself
done
rm -f "$state"/archives/*.deb
# What the packages' own scripts would have linked.
for folder in bin lib lib64 sbin; do
  if [ -d "$root/$folder" ] && [ ! -L "$root/$folder" ]; then
    mkdir -p "$root/usr/$folder"
    cp -a "$root/$folder/." "$root/usr/$folder/"
    rm -rf "${root:?}/$folder"
  fi
  ln -sfn "usr/$folder" "$root/$folder"
done
[ -e "$root/usr/bin/sh" ] || ln -s bash "$root/usr/bin/sh"
