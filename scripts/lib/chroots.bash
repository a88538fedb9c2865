# Debian systems in folders, made by debootstrap. Sourced by the other scripts, in the repository's top folder.
#
# They need root. From the environment:
#   PIXELBOOP_CHROOTS   where the systems are kept; by default in the user's cache
#   PIXELBOOP_MIRROR    Debian's mirror
#   PIXELBOOP_GIT       a folder with the git repositories of the dependencies, OWNER/NAME.git, instead of github.com

chroots=${PIXELBOOP_CHROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/pixelboop/chroots}
((EUID == 0)) || { echo "${0##*/}: making a system needs root" >&2; exit 1; }

# Makes a system, unless it is there: make_chroot RELEASE
make_chroot() {
    [[ ! -e $chroots/$1 ]] || return 0
    need_packages debootstrap debian-archive-keyring
    mkdir -p "$chroots"
    rm -rf "$chroots/$1.part"
    debootstrap --variant=minbase --include=ca-certificates "$1" "$chroots/$1.part" \
        "${PIXELBOOP_MIRROR:-http://deb.debian.org/debian}" >"$chroots/$1.log" || { tail "$chroots/$1.log"; return 1; }
    # A mirror may be a snapshot.
    echo 'Acquire::Check-Valid-Until "false";' >"$chroots/$1.part/etc/apt/apt.conf.d/90snapshot"
    mv "$chroots/$1.part" "$chroots/$1"
}

# Installs packages in a system: install_in RELEASE PACKAGES...
install_in() {
    local release=$1
    shift
    in_chroot "$release" env DEBIAN_FRONTEND=noninteractive bash -euc '
        apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >/tmp/installed.log || {
            tail /tmp/installed.log >&2; exit 1; }' bash "$@"
}

# Runs a command in a system, as its root, in an empty environment but for PIXELBOOP_*: in_chroot RELEASE COMMAND...
# Its processes end with it. The system is the root of the file systems there, so that the command may make namespaces.
in_chroot() {
    local folder=$chroots/$1 variables=()
    shift
    mapfile -t variables < <(env | grep '^PIXELBOOP_' | grep -vE '^PIXELBOOP_(CHROOTS|MIRROR|GIT)=')
    unshare --mount --pid --fork --kill-child bash -euc '
        folder=$1 git=$2
        shift 2
        mount --bind "$folder" "$folder"
        cd "$folder"
        mount -t proc proc proc
        mount --rbind /dev dev
        mount --rbind /sys sys
        if [[ $git ]]; then mkdir -p opt/git && mount --bind "$git" opt/git; fi
        pivot_root . mnt
        umount --lazy /mnt
        cd /root
        exec env -i "$@"' bash "$folder" "${PIXELBOOP_GIT:-}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LANG=C.UTF-8 "${variables[@]}" "$@"
}

# Installs sid's Swift compiler and what building needs.
install_swift() {
    install_in "$1" swiftlang g++ git lld "${build_packages[@]}"
    [[ ! ${PIXELBOOP_GIT:-} ]] ||
        in_chroot "$1" git config --global url./opt/git/.insteadOf https://github.com/
    # The overlay of Testing and Foundation has a module, but Debian leaves out its library; nothing here calls it.
    in_chroot "$1" bash -euc '
        library=/usr/libexec/swift/lib/swift/linux/lib_Testing_Foundation
        [[ -e $library.so || -e $library.a ]] || printf "!<arch>\n" >$library.a'
}

# Brings the last commit into a system, as /root/pixelboop. What was built there stays.
put_sources() {
    local target=$chroots/$1/root/pixelboop
    [[ -e $target ]] || git init -q "$target"
    git -C "$target" fetch -q "$PWD" HEAD
    git -C "$target" -c advice.detachedHead=false checkout -qf FETCH_HEAD
    git -C "$target" clean -qfd
}
