# The parts of a long run: what waits and what computes side by side, and in the end where the time went. Sourced by the
# other scripts.

part_times=()
declare -A part_processes=() part_starts=()
parts_folder=$(mktemp -d -t pb.XXXXXX)
# Whatever a part leaves behind goes with it.
export TMPDIR=$parts_folder/tmp
mkdir "$TMPDIR"
# Some tests become other users, who have to get past it.
chmod 711 "$parts_folder"
trap end_parts EXIT

end_parts() {
    local process
    for process in "${part_processes[@]}"; do kill -- "-$process" 2>/dev/null || true; done
    wait
    rm -rf "$parts_folder"
}

# A part of the run: part NAME COMMAND...
part() {
    local name=$1 start=$SECONDS
    shift
    echo "== $name"
    "$@"
    part_times+=("$((SECONDS - start)) $name")
}

# Begins a part beside what follows: begin [--idle] NAME COMMAND...    --idle gives it what the processors have left
begin() {
    local idle=
    if [[ $1 == --idle ]]; then idle=1 && shift; fi
    local name=$1
    shift
    part_starts[$name]=$SECONDS
    set -m
    (
        if [[ $idle ]]; then chrt --idle --pid 0 $BASHPID 2>/dev/null || renice -n 19 $BASHPID >/dev/null; fi
        status=0
        "$@" || status=$?
        echo "$SECONDS" >"$parts_folder/$name.end"
        exit $status
    ) >"$parts_folder/$name.log" 2>&1 </dev/null &
    set +m
    part_processes[$name]=$!
}

# Waits for a part that was begun, and shows what it printed: finish NAME
finish() {
    local name=$1 status=0
    wait "${part_processes[$name]}" || status=$?
    unset "part_processes[$name]"
    echo "== $name"
    cat "$parts_folder/$name.log"
    part_times+=("$(($(<"$parts_folder/$name.end") - part_starts[$name])) $name (beside others)")
    return $status
}

# Where the time went, the longest part first.
report_parts() {
    echo "== where the time went, in seconds of $SECONDS"
    printf '%s\n' "${part_times[@]}" | sort -rn | sed 's/^/    /'
}
