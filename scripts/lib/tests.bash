# Runs tests. Sourced by the other scripts.

# Passes tests that are built, chosen by the options of `swift test`. What failed is said again at the end: among thousands
# of lines it would not be found.
run_tests() {
    local log kept=.build/failed-tests.log
    log=$(mktemp)
    if swift test --skip-build "$@" 2>&1 | tee "$log"; then
        rm "$log"
        return
    fi
    mv "$log" "$kept"
    {
        echo "== what failed; the whole output is in $kept"
        grep -E '^✘|^error:|WARNING: ThreadSanitizer|ERROR: AddressSanitizer|^SUMMARY:|Fatal error' "$kept" ||
            tail -20 "$kept"
    } >&2
    return 1
}
