# Builds the programs, and generates pages and completions from them. Sourced by the other scripts, in the repository's
# top folder, after packages.bash.

# The programs for other surfaces, which are one Debian package.
surface_programs=(pixelboop-grid pixelboop-lights pixelboop-nsm pixelboop-osc)
programs_list=(pixelboopd pixelboop pixelboop-web pixelboop-link "${surface_programs[@]}")

# Names the build after the last commit, `git20261128213000.0123abcd`, or if files differ from it, after the last change of these,
# with a + at the end; nothing for a commit with a tag. Later builds have higher versions for apt. Fails where the sources are not
# in git.
name_of_build() {
    local time changed hash
    [[ $(git rev-parse --show-toplevel 2>/dev/null) -ef . ]] || return 1
    ! git describe --exact-match --tags >/dev/null 2>&1 || return 0
    read -r time hash < <(git log -1 --abbrev=8 --format='%ct %h')
    mapfile -t changed < <(git diff --name-only HEAD)
    if ((${#changed[@]})); then
        time=$({ echo "$time" && stat -c %Y -- "${changed[@]}" 2>/dev/null || true; } | sort -n | tail -1)
        hash+=+
    fi
    TZ=UTC0 printf 'git%(%Y%m%d%H%M%S)T.%s' "$time" "$hash"
}

# Always the same options, even on a terminal: with others, or with colours, everything would be compiled again. Package.swift
# makes the version from PIXELBOOP_BUILD, which a packager may set.
release_build=(swift build -c release --static-swift-stdlib --no-color-diagnostics)
if [[ ! -v PIXELBOOP_BUILD ]] && build_name=$(name_of_build); then PIXELBOOP_BUILD=$build_name; fi
[[ ! -v PIXELBOOP_BUILD ]] || release_build=(env "PIXELBOOP_BUILD=$PIXELBOOP_BUILD" "${release_build[@]}")
# Under sudo its caller builds, and owns the result: the caller's Swift is not in sudo's path.
if ((EUID == 0)) && [[ ${SUDO_USER:-root} != root ]]; then
    release_build=("$SUDO_USER" "$PWD" "${release_build[@]}")
    release_build=(runuser --login --shell /bin/bash --command 'cd "$0" && exec "$@"' -- "${release_build[@]}")
fi

# Builds the programs for release, with Swift's runtime inside; $built_programs is then their folder.
build_programs() {
    local program
    need_packages "${build_packages[@]}"
    for program in "${programs_list[@]}"; do "${release_build[@]}" --product "$program"; done
    # The last line: a login may print others.
    built_programs=$("${release_build[@]}" --show-bin-path | tail -n 1)
}

# Generates from the programs' own descriptions: completions (PROGRAM.bash, .zsh, .fish), manual pages (man/PROGRAM.1, .8 and
# PROGRAM.toml.5), and configuration files with every default (PROGRAM.toml), with the paths of a user ada.
#
# usage: generate_pages PROGRAMS FOLDER
generate_pages() {
    local program shell example
    need_packages python3
    for program in "${programs_list[@]}"; do
        for shell in bash zsh fish; do
            "$1/$program" --generate-completion-script "$shell" | sed '1{/^#!/d}' >"$2/$program.$shell"
        done
    done
    for program in "${programs_list[@]}"; do
        [[ $program != pixelboop ]] || continue
        env -i HOME=/home/ada XDG_RUNTIME_DIR=/run/user/1000 "$1/$program" --example-config >"$2/$program.toml"
    done
    mkdir -p "$2/man"
    for program in "${programs_list[@]}"; do
        example=$2/$program.toml
        [[ -e $example ]] || example=
        python3 -B scripts/lib/manual.py "$1/$program" "config/man/$program" "$example" "$2/man"
    done
}
