# Installs Debian packages that are missing; on systems without dpkg it leaves that to you. Sourced by the other scripts.
#
# On a terminal it lists the packages and asks first. Elsewhere it installs only in CI, or if PIXELBOOP_INSTALL is set, as the
# option --install of scripts/run and scripts/test does. Otherwise it says what is missing and ends the script.

need_packages() {
    command -v dpkg-query >/dev/null || return 0
    local package missing=()
    for package in "$@"; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    may_install "${missing[@]}" || exit 1
    echo "installing ${missing[*]}"
    local root=()
    ((EUID == 0)) || root=(sudo)
    "${root[@]}" apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
        >/dev/null
    disable_services "${missing[@]}"
}

# Whether these packages may be installed; if not, it says why.
may_install() {
    [[ ! ${CI:-}${PIXELBOOP_INSTALL:-} ]] || return 0
    local answer command="apt-get install --no-install-recommends $*"
    ((EUID == 0)) || command="sudo $command"
    if [[ ! -t 0 || ! -t 2 ]]; then
        echo "${0##*/}: these packages are missing: $command" >&2
        return 1
    fi
    echo "These packages are missing: $*" >&2
    read -rp "Install them? [Y/n] " answer
    [[ ${answer:-y} == [yY]* ]] || { echo "${0##*/}: nothing was installed; you can do it yourself: $command" >&2; return 1; }
}

# Some packages start a service at each login. The tests need only their programs.
disable_services() {
    command -v systemctl >/dev/null || return 0
    local units
    mapfile -t units < <(dpkg-query -L "$@" | sed -nE 's,^/usr/lib/systemd/user/([^/@]+\.(service|socket))$,\1,p')
    ((${#units[@]} == 0)) || "${root[@]}" systemctl --quiet --global disable "${units[@]}"
}

# What building needs: pkg-config, the JACK, PNG, QR-code, resampling, compression,
# sound-file and SQLite libraries, Ableton Link.
build_packages=(
    ableton-link-dev libasio-dev libjack-jackd2-dev libpng-dev libqrencode-dev libsamplerate0-dev libsndfile1-dev
    libsqlite3-dev pkg-config zlib1g-dev
)

# JACK's server and its small programs, which have a package of their own since Debian 13.
jack_packages=(jackd2)
[[ $(cat /etc/debian_version 2>/dev/null) == 12.* ]] || jack_packages+=(jack-example-tools)
