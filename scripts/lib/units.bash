# Lists the systemd units and their drop-ins. Sourced by the other scripts, in the repository's top folder.
#
# A unit's own lines are in config/systemd. What the units share is in pixelboop-.service.d, which systemd applies to every
# unit whose name begins with `pixelboop-`; pixelboopd.service.d links to what the daemon shares with them. The folders user
# and system have the same for one scope, and since-N what only systemd N or later knows.

# The names of a scope's units: user or system.
units_of() {
    basename -a config/systemd/*.service "config/systemd/$1"/*.socket
}

# Prints a unit. The same service is installed in both scopes, but drop-ins cannot have an [Install] section.
#
# usage: print_unit SCOPE NAME
print_unit() {
    if [[ $2 == *.socket ]]; then cat "config/systemd/$1/$2"; return; fi
    cat "config/systemd/$2"
    case $1 in
    user) printf '\n[Install]\nWantedBy=default.target\n' ;;
    system) printf '\n[Install]\nWantedBy=multi-user.target\n' ;;
    esac
}

# The files of a scope's drop-ins, those that this machine's systemd knows.
drop_ins_of() {
    local folder version
    version=$(systemd_version)
    for folder in config/systemd "config/systemd/$1" config/systemd/since-*; do
        [[ $folder != *since-* ]] || ((${folder##*-} <= version)) || continue
        printf '%s\n' "$folder"/*.service.d/*.conf
    done
}

# The version of this machine's systemd; 0 without one.
systemd_version() {
    local version
    version=$(systemctl --version 2>/dev/null | sed -nE '1s/^systemd ([0-9]+).*/\1/p') || true
    echo "${version:-0}"
}
