# Builds and runs tests. Sourced by the other scripts.

# Some tests compile C. Debian's Swift keeps its clang and docc beside the compiler, out of the path.
if swift=$(command -v swift); then PATH=$PATH:$(dirname "$(readlink -f "$swift")"); fi

# The compiler's name of this system, which in Debian's Swift is another than in Swift's own.
swift_triple() { swift -print-target-info | sed -nE 's/.*"triple": "(.*)",/\1/p' | head -1; }

# Leaves out what only debuggers and editors read, a quarter and a fifth of the compilers' time. Modules are compiled as a whole:
# in batches, each batch would read the whole module again. SwiftPM expects an object file for each source, which the compiler
# writes only with several threads.
lean=(
    -debug-info-format none --disable-index-store
    -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -disable-batch-mode
    -Xswiftc -use-ld=lld
)

# Runs tests that are built in .build, or in the folder $tests_build, chosen by the options of `swift test`. The
# test program is run directly: `swift test` passes its output on in blocks, and the last block of a test that hangs never
# appears. Failures are repeated at the end, because nobody would find them among thousands of lines. The run is given up after
# 15 minutes, several times what any call takes. In the foreground, so that Ctrl-C reaches the program too: whatever that has
# started ends with it.
run_tests() {
    local log status=0 build=${tests_build:-.build}
    local program=$build/debug/pixelboopPackageTests.xctest
    log=$(mktemp "$build/tests-XXXXXX.log")
    NO_COLOR=1 timeout --foreground --kill-after 10 15m "$program" --testing-library swift-testing "$@" 2>&1 | tee "$log" ||
        status=$?
    if ((status == 0)); then
        rm "$log"
        return
    fi
    {
        echo "== what failed; the whole output is in $log"
        grep -E '^✘|^error:|WARNING: ThreadSanitizer|ERROR: AddressSanitizer|^SUMMARY:|Fatal error' "$log" ||
            tail -20 "$log"
        if ((status == 124)); then
            echo "given up after 15 minutes; the last that began and ended:"
            tail -3 "$log"
        fi
    } >&2
    return 1
}

# Whether this machine lets `run_apart` do what it does.
can_run_apart() { unshare --mount --pid --fork true 2>/dev/null; }

# Runs a command with processes and shared memory of its own: JACK has one registry and one database there for all servers of
# a user.
run_apart() {
    unshare --mount --pid --fork --mount-proc --kill-child bash -euo pipefail -c '
        mount -t tmpfs -o mode=1777 tmpfs /dev/shm && "$@"' bash "$@"
}

# Runs tests like `run_tests`, apart.
run_tests_apart() { run_apart bash -euo pipefail -c 'source scripts/lib/tests.bash && run_tests "$@"' bash "$@"; }
