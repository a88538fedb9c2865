# Runs the parts of a long run, some beside others. A part that fails does not stop the others; at the end all failures are
# reported, what was left out and why, and where the time went. Sourced by the other scripts.

part_times=() failures=()
declare -A part_processes=() part_starts=() failed_parts=()
parts_folder=$(mktemp -d -t pb.XXXXXX)
# Deleted at the end, with everything that the parts leave there.
export TMPDIR=$parts_folder/tmp
mkdir "$TMPDIR"
# Some tests run as other users, who must be able to enter the folder.
chmod 711 "$parts_folder"
trap end_parts EXIT
# Otherwise the run would continue with the next part after one that does not end by the signal itself.
trap 'exit 130' INT

# Ends the parts that still run: those in the background by their process groups, and the one in the foreground, which is in
# this script's own, process by process.
end_parts() {
    local job processes=()
    # So that a second Ctrl-C does not leave half of them running.
    trap '' INT TERM HUP
    for job in $(jobs -p); do processes+=("-$job" "$job" $(started_by "$job")); done
    if ((${#processes[@]})); then
        kill -- "${processes[@]}" 2>/dev/null || true
        # They have a moment to end what they have started; `unshare` ignores the signal.
        sleep 2
        kill -KILL -- "${processes[@]}" 2>/dev/null || true
    fi
    wait
    rm -rf "$parts_folder"
}

# Prints the processes that a process has started, and those that they have.
started_by() {
    local process
    for process in $(cat "/proc/$1/task"/*/children 2>/dev/null); do echo "$process" && started_by "$process"; done
}

# Runs a part: part [--after PART] NAME COMMAND...    --after leaves it out if PART failed, because it needs what that one
# makes
part() {
    if is_left_out "$@"; then return; fi
    if [[ $1 == --after ]]; then shift 2; fi
    local name=$1 start=$SECONDS status=0
    shift
    echo "== $name"
    # Not as the condition of an `if`: there `set -e` has no effect, and a function would continue after a failed command.
    set +e
    (
        set -e
        trap 'times >"$parts_folder/$name.times"' EXIT
        "$@"
    ) 2>&1 | tee "$parts_folder/$name.log"
    status=${PIPESTATUS[0]}
    set -e
    end_part "$name" "$status" "$((SECONDS - start))" "$name"
}

# Starts a part in the background: begin [--after PART] [--idle] NAME COMMAND...
# --idle gives it only idle processor time.
begin() {
    if is_left_out "$@"; then return; fi
    if [[ $1 == --after ]]; then shift 2; fi
    local idle=
    if [[ $1 == --idle ]]; then idle=1 && shift; fi
    local name=$1
    shift
    part_starts[$name]=$SECONDS
    set -m
    (
        trap 'echo "$SECONDS" >"$parts_folder/$name.end"; times >"$parts_folder/$name.times"' EXIT
        if [[ $idle ]]; then chrt --idle --pid 0 $BASHPID 2>/dev/null || renice -n 19 $BASHPID >/dev/null; fi
        "$@"
    ) >"$parts_folder/$name.log" 2>&1 </dev/null &
    set +m
    part_processes[$name]=$!
}

# Runs commands of plain words one after the other, even after one has failed: all_of COMMAND...
all_of() {
    local command status=0
    for command in "$@"; do $command || status=1; done
    return $status
}

# Waits for a part in the background, and shows what it printed: finish NAME
finish() {
    local name=$1 status=0
    [[ ${part_processes[$name]:-} ]] || return 0
    wait "${part_processes[$name]}" || status=$?
    unset "part_processes[$name]"
    echo "== $name"
    cat "$parts_folder/$name.log"
    end_part "$name" "$status" "$(($(<"$parts_folder/$name.end") - part_starts[$name]))" "$name (beside others)"
}

# Notes how a part ended, and how long it took: end_part NAME STATUS SECONDS DESCRIPTION
end_part() {
    local name=$1 status=$2
    part_times+=("$3 ($(processor_time "$name")) $4")
    ((status)) || return 0
    failed_parts[$name]=1
    failures+=("$name:"$'\n'"$(what_failed "$parts_folder/$name.log")")
}

# Prints the seconds of processor time that a part and its processes used.
processor_time() {
    awk -F '[ms ]' '{ sum += 60 * ($1 + $4) + $2 + $5 } END { printf "%d\n", sum }' "$parts_folder/$1.times"
}

# Whether to leave out a part, which is given with its options.
is_left_out() {
    [[ $1 == --after && ${failed_parts[$2]:-} ]] || return 1
    local part=$2
    shift 2
    if [[ $1 == --idle ]]; then shift; fi
    failed_parts[$1]=1
    failures+=("$1: left out, as \"$part\" failed")
}

# The lines of a log that say what failed, or its last ones.
what_failed() {
    local signs='^✘|^error:|: error: |^(FAIL|ERROR): |^not ok |WARNING: ThreadSanitizer|ERROR: (Address|RealtimeSanitizer)'
    signs+='|^SUMMARY:|Fatal error|^given up after'
    { grep -E "$signs" "$1" | awk '!seen[$0]++' | head -60 || tail -20 "$1"; } | sed 's/^/    /'
}

# Reports where the time went, the longest part first; what was left out; and what failed, which gives the exit status.
report_parts() {
    echo "== where the time went, in seconds of $SECONDS (of processor time)"
    printf '%s\n' "${part_times[@]}" | sort -rn | sed 's/^/    /'
    report_skips
    ((${#failures[@]})) || return 0
    echo "== what failed"
    printf '%s\n' "${failures[@]}"
    return 1
}

# Reports what was left out, and why. With CI set that is a failure, unless not every machine can do it.
report_skips() {
    local reasons reason
    reasons=$(sed -nE 's/^➜ (Test|Part) .* skipped(: "(.*)")?$/\3/p' "$parts_folder"/*.log | sort | uniq -c)
    [[ $reasons ]] || return 0
    echo "== what was left out, how often and why"
    echo "$reasons"
    [[ ${CI:-} ]] || return 0
    while read -r _ reason; do
        may_be_missing "$reason" || failures+=("left out: $reason")
    done <<<"$reasons"
}

# Leaves a part out, in the words of Swift Testing: skip NAME REASON
skip() { echo "➜ Part \"$1\" skipped: \"$2\""; }

# What not every machine can do, in the words of tests (Tests/Support/TestSupport/Need.swift) and of `skip`. scripts/test installs
# everything else that tests need, so if that is missing, something is wrong.
may_be_missing() {
    case $1 in
    # Containers may not run as root, or lack CAP_SYS_ADMIN and CAP_NET_ADMIN.
    'needs the right to become another user') ;;
    'needs the right to mount a file system') ;;
    'needs the right to make network namespaces') ;;
    # SuperCollider is as large as everything else together, and oscsend sends the example's messages as well.
    'needs sclang') ;;
    # Container images have no systemd, and could not start it.
    'needs systemd') ;;
    *) return 1 ;;
    esac
}
