# Sourced by the scripts beside it: where the project is, messages, and the quiet build.
# shellcheck shell=bash

scripts=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=$(dirname "$scripts")
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

# Standard output belongs to the program that a script runs.
say() { printf 'scripts/%s: %s\n' "$(basename "$0")" "$*" >&2; }

# fail STATUS MESSAGE...
fail() {
  local status=$1
  shift
  say "$@"
  exit "$status"
}

# A path as short as the working directory allows, ready to be pasted into a shell.
shown() {
  local path=${1#"$PWD"/}
  [[ $path == */* ]] || path=./$path
  printf '%q' "$path"
}

# quietly LOG WHAT COMMAND...: the command's output goes to LOG and is shown only when it fails.
quietly() {
  local log=$1 what=$2
  shift 2
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    fail 1 "$what failed; all of its output is in $(shown "$log")"
  fi
}

# build_preset NAME [TARGET...]: brings build/NAME up to date. Two runs at once take turns.
build_preset() {
  local preset=$1 directory=$root/build/$1
  local stamp=$directory/.configured lock
  local targets=("${@:2}")
  mkdir -p "$directory"
  exec {lock}>"$directory/.lock"
  flock "$lock"
  [[ -x $directory/bin/dbdyno-bench ]] || say "building $(shown "$directory"), which takes minutes the first time"
  # The stamp holds the root, since a build directory is of no use in a copied or moved tree.
  if [[ ! -f $stamp || $(<"$stamp") != "$root" || ! -f $directory/build.ninja ||
    $root/CMakePresets.json -nt $stamp || $scripts/packages.txt -nt $stamp ]]; then
    quietly "$directory/configure.log" "configuring" cmake --fresh -S "$root" --preset "$preset"
    printf '%s' "$root" >"$stamp"
  fi
  quietly "$directory/build.log" "building" cmake --build "$directory" --parallel "$jobs" \
    ${targets:+--target "${targets[@]}"} -- --quiet
  exec {lock}>&-
}
