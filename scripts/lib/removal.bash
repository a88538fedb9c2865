# The script that runs before a Debian package is removed. Sourced by the other scripts.

# Prints a package's prerm: print_prerm UNITS...
#
# The units were enabled by people, with systemctl: deb-systemd-helper would disable only what it has enabled itself.
print_prerm() {
    cat <<SCRIPT
#!/bin/sh
set -e
[ "\$1" = remove ] || exit 0
[ ! -d /run/systemd/system ] || deb-systemd-invoke stop $*
command -v systemctl >/dev/null || exit 0
systemctl --quiet disable $* || true
systemctl --quiet --global disable $* || true
SCRIPT
}
