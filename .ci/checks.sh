# How .ci/run runs a command, sourced by it: within what is left of BUDGET_SECONDS, and ended with the script.

# Ends what runs, and the script. `timeout` passes the signal on to all that it has started.
stop() {
  local pid pids
  trap '' INT TERM
  pids=$(jobs -p)
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  for pid in $pids; do wait "$pid" || true; done
  exit "$1"
}
# Bash goes on with the next check otherwise, or ends alone.
trap 'stop 130' INT
trap 'stop 143' TERM

# Runs a command within what is left of the budget. @param file where its output goes as well
bounded() {
  local file=$1 left=$((BUDGET_SECONDS - SECONDS)) code=0 output teeing running
  ((left > 10)) || left=10
  shift
  exec {output}> >(tee "$file")
  teeing=$!
  # Bash heeds a signal while it waits for a command in the background, and not before one in the foreground ends.
  timeout --kill-after=30 "$left" "$@" >&"$output" 2>&1 {output}>&- &
  running=$!
  exec {output}>&-
  wait "$running" || code=$?
  wait "$teeing" || true
  ((code != 124)) || echo "did not end within $left s"
  return "$code"
}

# The same beside what follows. @param file where its output goes
bounded_beside() {
  local file=$1
  shift
  {
    # A process of its own has no trap yet.
    trap 'stop 143' TERM
    bounded "$file" "$@" >/dev/null
  } &
  beside=$!
}
