# Steps of a check, for .ci/run and .ci/long. The last lines list the steps, their durations and the failures.
set -euo pipefail
cd "$(dirname "$0")/.."

reports=$(mktemp -d)
name=$(basename "$0")
current="" began=0 took=() running=() failed=()

note_time() {
  took+=("$(printf '%5d s  %s' "$1" "$2")")
}

end_step() {
  [ -z "$current" ] || note_time $((SECONDS - began)) "$current"
  current=""
}

step() {
  end_step
  current=$1 began=$SECONDS
  printf '\n== %s\n' "$current"
}

# Runs steps in parallel, given as pairs of a name and a command. All run to their end; each prints its output as one
# block.
beside() {
  end_step
  local names=() place code=0
  while [ $# -gt 0 ]; do
    place=${#names[@]}
    # A separate process group, so that closing_lines can end it.
    set -m
    (
      began=$SECONDS
      trap 'echo $((SECONDS - began)) >"$reports/seconds-$place"' EXIT
      $2
    ) >"$reports/output-$place" 2>&1 &
    set +m
    running+=($!)
    names+=("$1")
    shift 2
  done
  for place in "${!names[@]}"; do
    wait "${running[place]}" || { code=$?; failed+=("${names[place]}"); }
    printf '\n== %s\n' "${names[place]}"
    cat "$reports/output-$place"
    note_time "$(cat "$reports/seconds-$place")" "${names[place]}"
  done
  running=()
  return "$code"
}

closing_lines() {
  local code=$? group
  for group in "${running[@]}"; do kill -- "-$group" 2>/dev/null || true; done
  [ "$code" -eq 0 ] || [ "${#failed[@]}" -gt 0 ] || failed=("${current:-the beginning}")
  end_step
  rm -rf "$reports"
  printf '\n'
  [ "${#took[@]}" -eq 0 ] || printf '%s\n' "${took[@]}"
  if [ "$code" -eq 0 ]; then
    printf '\n.ci/%s passed in %s s\n' "$name" "$SECONDS"
  else
    printf '\n.ci/%s FAILED after %s s (exit %s) in: %s\n' "$name" "$SECONDS" "$code" "$(IFS=,; echo "${failed[*]}")"
  fi
}
trap closing_lines EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
