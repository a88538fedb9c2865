# Runs tests. Sourced by the other scripts.

# Passes tests that are built, chosen by the options of `swift test`. What failed is said again at the end: among thousands
# of lines it would not be found.
run_tests() {
    local log
    log=$(mktemp)
    if swift test --skip-build "$@" 2>&1 | tee "$log"; then
        rm "$log"
        return
    fi
    {
        echo "== what failed; the whole output is in $log"
        grep -E '^✘|^error:|WARNING: ThreadSanitizer|ERROR: AddressSanitizer|^SUMMARY:|Fatal error' "$log" ||
            tail -20 "$log"
    } >&2
    return 1
}
