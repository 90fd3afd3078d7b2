#!/usr/bin/env bash
# Brings the binary, and tells its path as output `binary`: INSTALL_BINARY as it is, a release by its
# version, or else a build of the source that the action was pinned to. Also bubblewrap, which
# confines commands, where that takes no more than apt-get. It has no key.
set -euo pipefail

fail() {
  printf '::error title=Cordon::Cannot bring Cordon: %s\n' "$1"
  exit 1
}

# The network fails now and then: three tries.
again() {
  local try
  for try in 1 2 3; do
    "$@" && return
    echo "try $try of 3 failed"
    sleep "$((try * 5))"
  done
  return 1
}

# As the files of a release are named.
platform() {
  case "$RUNNER_OS-$RUNNER_ARCH" in
  Linux-X64) echo linux-x64 ;;
  Linux-ARM64) echo linux-arm64 ;;
  macOS-X64) echo macos-x64 ;;
  macOS-ARM64) echo macos-arm64 ;;
  *) return 1 ;;
  esac
}

# The checksums come from the same place, so they show damage; who trusts no release builds.
download() {
  local file=$1 url="$GITHUB_SERVER_URL/$INSTALL_REPOSITORY/releases/download/$INSTALL_VERSION"
  local wanted seen
  for name in "$file" SHA256SUMS; do
    again curl --fail --silent --show-error --location --max-time 300 \
      --output "$folder/$name" "$url/$name" || fail "$url/$name cannot be fetched"
  done
  wanted=$(awk -v file="$file" '$2 == file || $2 == "*" file { print $1 }' "$folder/SHA256SUMS")
  seen=$({ sha256sum "$folder/$file" 2>/dev/null || shasum -a 256 "$folder/$file"; } | cut -d' ' -f1)
  [[ $wanted && $wanted == "$seen" ]] || fail "$file is not what SHA256SUMS of the release says"
  chmod +x "$folder/$file"
  binary=$folder/$file
}

build() {
  local version
  version=$(<"$GITHUB_ACTION_PATH/.dvmrc")
  cd -- "$GITHUB_ACTION_PATH"
  again npx --yes "deno@$version" task compile --output "$folder/cordon" ||
    fail "the source does not build"
  binary=$folder/cordon
}

# Ubuntu forbids namespaces to ordinary users; a hosted runner is thrown away after the job, so there
# the rule is lifted. A machine of somebody is left as it is, and Cordon says that it lacks a view.
bring_view() {
  [[ $RUNNER_OS == Linux ]] || return 0
  if [[ ! $(command -v bwrap) ]]; then
    again sudo -n apt-get install -y --no-install-recommends bubblewrap || return 0
  fi
  if [[ ${RUNNER_ENVIRONMENT-} == github-hosted ]] && ! bwrap --ro-bind / / true 2>/dev/null; then
    sudo -n sysctl -q -w kernel.apparmor_restrict_unprivileged_userns=0 || true
  fi
}

folder=$(mktemp -d "$RUNNER_TEMP/cordon-bin-XXXXXX")
if [[ $INSTALL_BINARY ]]; then
  [[ -x $INSTALL_BINARY ]] || fail "\"$INSTALL_BINARY\" is no program"
  binary=$(realpath -- "$INSTALL_BINARY")
elif [[ $INSTALL_VERSION == source ]]; then
  build
else
  [[ $INSTALL_VERSION =~ ^[A-Za-z0-9._-]+$ ]] || fail "\"$INSTALL_VERSION\" is no version"
  name=$(platform) || fail "there is no release for $RUNNER_OS $RUNNER_ARCH; use version: source"
  download "cordon-$name"
fi
[[ $INSTALL_VIEW != true ]] || bring_view
"$binary" --version
echo "binary=$binary" >>"$GITHUB_OUTPUT"
