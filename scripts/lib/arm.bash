# Cross-compiles for arm64 and runs the results under qemu. Sourced by scripts/check-arm, in a system with Debian's Swift.

source scripts/lib/packages.bash
source scripts/lib/tests.bash
triple=aarch64-unknown-linux-gnu
sysroot=/opt/arm64
sdks=/opt/arm64-sdk
# Their tests compute, and start no process: qemu could start none that is for arm64.
suites=(MusicTests GesturesTests SessionTests EngineTests ExchangeTests OfflineAudioTests)
starts_processes='ends the program|debug build traps'
# They take 4 to 70 s on amd64, and ten times as long under qemu, an hour in all: they run if PIXELBOOP_LONG is set.
long='after any silence, |after any session and silence, |each take of a random session|sessions have several takes'
long+='|hats and claps have the same bands|an engine that may rest|whatever fingers do, it plays|as bright and as wide as records'
long+='|5 ms after the last finger|a drum is as loud |when the tempo drops within|no direct current above'
long+='|nor has any other pattern|it repeats the latest stretch|its replay comes to an end|it decays in the requested time'
long+='|a kit swapped a thousand times'
long+="|nothing but the oscillators' harmonics|the clock is not late afterwards"

# What runs a program for arm64.
emulate=(qemu-aarch64 -L "$sysroot" -E LD_LIBRARY_PATH=/usr/lib/swift/linux)

# Fetches arm64 packages of a release, and what they depend on, by an apt of its own, in which nothing is installed, into
# FOLDER/var/cache/apt/archives: fetch_for_arm FOLDER RELEASE PACKAGES...
fetch_for_arm() {
    local apt=$1 release=$2 options
    shift 2
    options=(
        -qq -o "Dir=$apt" -o "Dir::State::status=$apt/status" -o Dir::Etc::trustedparts=/etc/apt/trusted.gpg.d
        -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root
        -o Acquire::Check-Valid-Until=false
    )
    rm -rf "$apt"
    mkdir -p "$apt"/{etc/apt/{apt.conf.d,preferences.d},var/lib/apt/lists/partial,var/cache/apt/archives/partial}
    sed "s/ sid / $release /" /etc/apt/sources.list >"$apt/etc/apt/sources.list"
    touch "$apt/status"
    apt-get "${options[@]}" update
    apt-get "${options[@]}" -y --no-install-recommends --download-only install "$@"
}

# Makes an empty system: its folders, as Debian links them.
make_folders() {
    local name
    rm -rf "$1"
    mkdir -p "$1/usr"/{bin,lib,sbin}
    for name in bin lib sbin; do ln -s "usr/$name" "$1/$name"; done
}

# unpack PACKAGE FOLDER OPTIONS-OF-TAR...
unpack() { dpkg --fsys-tarfile "$1" | tar -C "$2" -x --keep-directory-symlink "${@:3}"; }

# Unpacks the packages that programs for arm64 are built with.
make_sysroot() {
    [[ ! -e $sysroot ]] || return 0
    local package part=$sysroot.part
    fetch_for_arm "$sysroot.apt" sid swiftlang g++ linux-libc-dev "${build_packages[@]}"
    make_folders "$part"
    # Of the compiler only what it compiles and links with.
    for package in "$sysroot.apt"/var/cache/apt/archives/*.deb; do
        case ${package##*/} in
        swiftlang_*)
            unpack "$package" "$part" --wildcards ./usr/libexec/swift/lib/swift{,_static} './usr/libexec/swift/lib/clang*'
            ;;
        lib* | zlib1g_* | linux-libc-dev_* | *-dev_*) unpack "$package" "$part" ;;
        esac
    done
    ln -sfn ../libexec/swift/lib/swift "$part/usr/lib/swift"
    ln -sfn ../libexec/swift/lib/swift_static "$part/usr/lib/swift_static"
    printf '!<arch>\n' >"$part/usr/lib/swift/linux/lib_Testing_Foundation.a"
    mv "$part" "$sysroot"
    rm -rf "$sysroot.apt"
}

# Unpacks the libraries that programs run with from an older release, beside Swift's: make_libraries RELEASE FOLDER
make_libraries() {
    [[ ! -e $2 ]] || return 0
    local package
    fetch_for_arm "$2.apt" "$1" libc6 libstdc++6 libjack-jackd2-0 libsndfile1 libsamplerate0 libpng16-16 libsqlite3-0 zlib1g
    make_folders "$2.part"
    for package in "$2.apt"/var/cache/apt/archives/*.deb; do unpack "$package" "$2.part"; done
    ln -sfn "$sysroot/usr/lib/swift" "$2.part/usr/lib/swift"
    mv "$2.part" "$2"
    rm -rf "$2.apt"
}

# Describes the folder to SwiftPM.
make_sdk() {
    local folder=$sdks/arm64.artifactbundle
    mkdir -p "$folder/arm64"
    cat >"$folder/info.json" <<JSON
{"schemaVersion": "1.0", "artifacts": {"arm64": {"type": "swiftSDK", "version": "1", "variants": [
    {"path": "arm64", "supportedTriples": ["$(swift_triple)"]}]}}}
JSON
    cat >"$folder/arm64/swift-sdk.json" <<JSON
{"schemaVersion": "4.0", "targetTriples": {"$triple": {
    "sdkRootPath": "$sysroot", "swiftResourcesPath": "$sysroot/usr/lib/swift",
    "swiftStaticResourcesPath": "$sysroot/usr/lib/swift_static", "toolsetPaths": ["toolset.json"]}}}
JSON
    echo '{"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}}' >"$folder/arm64/toolset.json"
}

# Builds for arm64, for debugging, which optimises what computes: cross OPTIONS...
cross() {
    local libraries=$sysroot/usr/lib/aarch64-linux-gnu/pkgconfig
    env PIXELBOOP_STRICT=1 PKG_CONFIG_SYSROOT_DIR="$sysroot" PKG_CONFIG_PATH="$libraries" \
        PKG_CONFIG_LIBDIR="$libraries:$sysroot/usr/share/pkgconfig" \
        swift build --swift-sdks-path "$sdks" --swift-sdk arm64 --scratch-path .build/arm64 --quiet "${lean[@]}" "$@"
}

run_suites() (
    local suite status=0
    export PIXELBOOP_SUITES="${suites[*]}"
    cross --build-tests
    for suite in "${suites[@]}"; do run_suite "$suite" || status=1; done
    echo "skipped, because they start processes, which qemu cannot: $starts_processes"
    [[ ${PIXELBOOP_LONG:-} ]] || echo "skipped, because they take long: $long"
    echo "the version of the engine, and the hash of its golden audio: $(<Tests/Sound/EngineTests/Golden/version.txt)"
    return $status
)

# Runs a suite, and says how long it took: run_suite NAME
run_suite() {
    local log=.build/arm64/$1.log start=$SECONDS status=0 skipped=$starts_processes
    [[ ${PIXELBOOP_LONG:-} ]] || skipped+="|$long"
    NO_COLOR=1 "${emulate[@]}" ".build/arm64/$triple/debug/pixelboopPackageTests.xctest" --testing-library swift-testing \
        --filter "^$1\\." --skip "$skipped" >"$log" 2>&1 || status=$?
    if ((status)); then grep -aE '^✘|Fatal error|^error:|^qemu' "$log" || tail -5 "$log"; fi
    echo "$1, $((SECONDS - start)) s: $(tail -n 1 "$log")"
    return $status
}

# Renders songs with both programs.
run_songs() {
    local song folder name one other status=0
    build_programs_for_arm pixelboop
    if [[ ! -e /root/amd64 ]]; then
        swift build --scratch-path .build/amd64 --quiet -c release --static-swift-stdlib --product pixelboop
        mkdir /root/amd64 && cp .build/amd64/release/pixelboop /root/amd64
    fi
    folder=$(mktemp -d)
    printf '%-14s %-66s %s\n' song 'amd64: SHA-256 of its 32-bit floating-point samples' arm64
    for song in config/demo.json config/mixes/*.json; do
        name=$(basename "$song" .json)
        /root/amd64/pixelboop render --float "$song" "$folder/amd64.wav"
        "${emulate[@]}" "$arm_programs/pixelboop" render --float "$song" "$folder/arm64.wav"
        one=$(sha256sum <"$folder/amd64.wav") other=$(sha256sum <"$folder/arm64.wav")
        printf '%-14s %-66s %s\n' "$name" "${one%% *}" "${other%% *}"
        [[ $one == "$other" ]] || status=1
    done
    rm -r "$folder"
    return $status
}

build_programs_for_arm() {
    local program
    arm_programs=.build/arm64/$triple/debug
    for program in "$@"; do cross --product "$program"; done
}

# Plays a note on a daemon without JACK, and listens.
run_daemon() {
    local client heard
    build_programs_for_arm pixelboopd pixelboop
    export PIXELBOOP_SOCKET=$PWD/.build/arm64/control.sock
    rm -rf .build/arm64/{state,data} "$PIXELBOOP_SOCKET"
    client=("${emulate[@]}" "$arm_programs/pixelboop")
    "${emulate[@]}" "$arm_programs/pixelboopd" --driver internal --period 4096 --socket "$PIXELBOOP_SOCKET" \
        --state-dir .build/arm64/state --data-dir .build/arm64/data &
    until [[ -S $PIXELBOOP_SOCKET ]]; do
        kill -0 $! || return 1
        sleep 0.1
    done
    "${client[@]}" new
    "${client[@]}" touch tap 4 7
    "${client[@]}" play
    # Its loop takes four seconds, of which this hears five.
    heard=$({ "${client[@]}" listen || true; } | head -c 1000000 | tr -d '\0' | wc -c)
    "${client[@]}" status
    kill $! && wait $!
    ((heard > 10000)) || { echo "error: it is silent" >&2; return 1; }
    echo "the daemon for arm64 played, and ended without an error"
}

# Runs the programs with the libraries of Debian 13, and shows why they cannot run with those of 12.
run_releases() {
    local libraries=/opt/arm64-trixie missing emulate
    make_libraries trixie "$libraries"
    emulate=(qemu-aarch64 -L "$libraries" -E LD_LIBRARY_PATH=/usr/lib/swift/linux)
    run_daemon
    echo "it did so with the libraries of Debian 13"
    libraries=/opt/arm64-bookworm
    make_libraries bookworm "$libraries"
    emulate[2]=$libraries
    if missing=$("${emulate[@]}" "$arm_programs/pixelboopd" --version 2>&1); then
        echo "it runs with the libraries of Debian 12, too"
    else
        echo "it does not run with those of Debian 12: ${missing%%$'\n'*}"
    fi
}

run_parts() {
    local part
    make_sysroot
    make_sdk
    for part in "$@"; do
        echo "== $part"
        "run_$part"
    done
}
