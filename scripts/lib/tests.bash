# Runs tests. Sourced by the other scripts.

# Passes tests that are built, chosen by the options of `swift test`. What failed is said again at the end: among thousands
# of lines it would not be found. Tests that hang are given up after 15 minutes, several times what any call takes.
run_tests() {
    local log kept=.build/failed-tests.log status=0
    log=$(mktemp)
    timeout --kill-after 10 15m swift test --skip-build "$@" 2>&1 | tee "$log" || status=$?
    if ((status == 0)); then
        rm "$log"
        return
    fi
    mv "$log" "$kept"
    {
        echo "== what failed; the whole output is in $kept"
        grep -E '^✘|^error:|WARNING: ThreadSanitizer|ERROR: AddressSanitizer|^SUMMARY:|Fatal error' "$kept" ||
            tail -20 "$kept"
        if ((status == 124)); then
            echo "given up after 15 minutes; the last that began and ended:"
            tail -3 "$kept"
        fi
    } >&2
    return 1
}
