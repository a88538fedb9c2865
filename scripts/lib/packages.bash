# Installs Debian packages that are missing; on systems without dpkg it leaves that to you. Sourced by the other scripts.

need_packages() {
    command -v dpkg-query >/dev/null || return 0
    local package missing=()
    for package in "$@"; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    echo "installing ${missing[*]}"
    local root=()
    ((EUID == 0)) || root=(sudo)
    "${root[@]}" apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
        >/dev/null
}

# What building needs: pkg-config, the JACK, PNG, QR-code, resampling, compression and sound-file libraries, Ableton Link.
build_packages=(
    ableton-link-dev libasio-dev libjack-jackd2-dev libpng-dev libqrencode-dev libsamplerate0-dev libsndfile1-dev
    pkg-config zlib1g-dev
)
