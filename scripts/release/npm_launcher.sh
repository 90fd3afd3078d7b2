#!/bin/sh
# Starts the Cordon that npm installed for this platform: the package cordon-PLATFORM beside this
# one. The process stays the same, so do its signals, its terminal and its exit code; Node is not
# started.

cordon_say() {
  printf 'cordon: %s\n' "$1" >&2
  exit 1
}

# Where this file lies, with no link on the way: npm and pnpm start it through links.
cordon_self=$0
while [ -L "$cordon_self" ]; do
  cordon_link=$(readlink "$cordon_self")
  case $cordon_link in
  /*) cordon_self=$cordon_link ;;
  *) cordon_self=${cordon_self%/*}/$cordon_link ;;
  esac
done
case $cordon_self in
*/*) cordon_self=${cordon_self%/*} ;;
*) cordon_self=. ;;
esac
cordon_package=$(CDPATH='' cd -P -- "$cordon_self/.." && pwd -P) || exit 1

# A Mac with an ARM processor runs programs for the other one too.
case $(uname -s)-$(uname -m) in
Linux-x86_64) cordon_names=cordon-linux-x64 ;;
Linux-aarch64) cordon_names=cordon-linux-arm64 ;;
Darwin-x86_64) cordon_names=cordon-macos-x64 ;;
Darwin-arm64) cordon_names='cordon-macos-arm64 cordon-macos-x64' ;;
*) cordon_say "Cannot start on $(uname -s) $(uname -m): there are packages for Linux and macOS on x86_64 and arm64 only; build it from source, where Deno runs" ;;
esac

# As Node looks for packages, but never outside of the folders that a package manager filled.
for cordon_name in $cordon_names; do
  cordon_folder=$cordon_package
  while [ "$cordon_folder" ]; do
    case $cordon_folder in
    "$cordon_package") cordon_found=$cordon_folder/node_modules/$cordon_name/bin/cordon ;;
    */node_modules) cordon_found=$cordon_folder/$cordon_name/bin/cordon ;;
    *) cordon_found= ;;
    esac
    if [ "$cordon_found" ] && [ -x "$cordon_found" ]; then
      exec "$cordon_found" "$@"
    fi
    cordon_folder=${cordon_folder%/*}
  done
done
cordon_say "Cannot start: package ${cordon_names%% *} is not installed beside \"$cordon_package\"; install again with optional dependencies (it needs glibc, so not on Alpine)"
