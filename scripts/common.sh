# Shared by quickstart and run-tests: packages, the build, and calm messages. Meant to be sourced from the project's root.

build_packages=(build-essential clang-22 lld-22 cmake ninja-build ccache zlib1g-dev libzip-dev libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools
                libdnnl-dev nlohmann-json3-dev libopenmpi-dev openmpi-bin libmpich-dev mpich libgtest-dev dataset-fashion-mnist python3)
test_packages=(clang-format-22 clang-tidy-22 clang-tools-22 fish iproute2 pkgconf python3-numpy python3-venv python3-yaml zsh)

logs=build/logs
export DEBIAN_FRONTEND=noninteractive

say() { printf '\033[1m%s\033[0m\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
trap 'printf "\nstopped; running the same command again goes on where it stopped\n" >&2; exit 130' INT

# logged NAME MESSAGE command...: the command's output goes to a log; if it fails, the end of the log is shown.
logged() {
  local log=$logs/$1.log message=$2
  shift 2
  mkdir -p "$logs"
  "$@" >"$log" 2>&1 || { tail -n "${tail_lines:-20}" "$log" >&2; fail "$message (all of it: $log)"; }
}

# Installs what is missing of the packages named; asks for nothing when all are there.
need_packages() {
  local missing=() package as_root=()
  command -v dpkg-query >/dev/null || fail "this script installs Debian packages and there is no dpkg here; needed are: $*"
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      fail "packages are missing and there is no sudo; as root run: apt-get install ${missing[*]}"
    as_root=(sudo --preserve-env=DEBIAN_FRONTEND)
  fi
  say "Installing ${#missing[@]} packages (this can take some minutes): ${missing[*]}"
  # A broken list of some other source should not stop us, so a failed update only explains a failed installation.
  local trouble="apt-get cannot install the packages"
  mkdir -p "$logs"
  "${as_root[@]}" apt-get update -q -o APT::Update::Error-Mode=any >"$logs/apt-update.log" 2>&1 ||
    trouble="apt-get cannot fetch the package lists and the packages; is there a network?"
  tail_lines=2 logged apt-install "$trouble" \
    "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# One compiler at a time needs up to 1.5 GB: as many jobs as cores and memory allow.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ {print int($2 / 1500000)}' /proc/meminfo)
  echo $((memory < 1 ? 1 : memory < cores ? memory : cores))
}

# build_targets [target...]: configures once and builds; on a terminal ninja shows its one line of progress.
build_targets() {
  local start=$SECONDS
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  [ -f build/build.ninja ] || logged configure "cmake cannot configure the build" cmake --preset release
  say "Building with $(jobs) jobs; the first build takes some minutes"
  if [ -t 1 ]; then
    NINJA_STATUS='[%f/%t, %es] ' ninja -C build -j "$(jobs)" "$@" || fail "the build stopped at the message above"
  else
    logged build "the build failed" ninja -C build -j "$(jobs)" "$@"
  fi
  echo "built in $((SECONDS - start)) s"
}
