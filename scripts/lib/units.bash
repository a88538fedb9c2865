# Assembles the systemd units from the files in config/systemd. Sourced by the other scripts, in the repository's top folder.

# The names of a scope's units: user or system.
units_of() {
    basename -a config/systemd/*.service "config/systemd/$1"/*.socket
}

# Prints a unit. A service is put together from the parts that its first line names, its own lines, and its lines for this
# scope; systemd merges sections of the same name (systemd.syntax(7)).
#
# usage: print_unit SCOPE NAME
print_unit() {
    local unit=config/systemd/$2 part parts
    if [[ $2 == *.socket ]]; then cat "config/systemd/$1/$2"; return; fi
    read -r _ _ parts <"$unit"
    for part in $parts; do
        for part in "parts/$part" "parts/$part-$1"; do print_part "$part"; done
    done
    # After the parts: a filter of system calls adds to earlier ones, or subtracts from them.
    tail -n +2 "$unit"
    echo
    print_part "$1/${2%.service}"
}

# Whether this machine's systemd lets the pauses between restarts grow; those before 254 warn of settings that they do not know.
has_growing_pauses() {
    local version
    version=$(systemctl --version 2>/dev/null | sed -nE '1s/^systemd ([0-9]+).*/\1/p')
    [[ $version ]] && ((version >= 254))
}

print_part() {
    [[ ! -r config/systemd/$1.conf ]] || { cat "config/systemd/$1.conf"; echo; }
}
