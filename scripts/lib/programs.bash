# Builds the programs and what the argument parser makes out of them. Sourced by the other scripts, in the repository's
# top folder, after packages.bash.

# The programs for other surfaces, which are one Debian package.
surface_programs=(pixelboop-grid pixelboop-lights pixelboop-nsm pixelboop-osc)
programs_list=(pixelboopd pixelboop pixelboop-web pixelboop-link "${surface_programs[@]}")
# Always the same options: with others, and with colours on a terminal, everything would be compiled anew.
release_build=(swift build -c release --static-swift-stdlib --no-color-diagnostics)
# What is built through sudo belongs to its caller, and is built with the caller's Swift: sudo's path leaves it out.
if ((EUID == 0)) && [[ ${SUDO_USER:-root} != root ]]; then
    release_build=("$SUDO_USER" "$PWD" "${release_build[@]}")
    release_build=(runuser --login --shell /bin/bash --command 'cd "$0" && exec "$@"' -- "${release_build[@]}")
fi

# Builds the programs for release, with Swift's runtime inside; $built_programs is then the folder that they are in.
build_programs() {
    local program
    need_packages "${build_packages[@]}"
    for program in "${programs_list[@]}"; do "${release_build[@]}" --product "$program"; done
    # The last line: a login may print others.
    built_programs=$("${release_build[@]}" --show-bin-path | tail -n 1)
}

# What is made of the programs' own descriptions: completions (PROGRAM.bash, .zsh, .fish), manual pages (man/PROGRAM.1, .8 and
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
