# Installs the packages in ~/packages, plays, replaces them and purges them. Run as root, in a system that may break.

fail() { echo "error: $*" >&2; exit 1; }
quietly() { "$@" >/tmp/output 2>&1 || { cat /tmp/output >&2; fail "$*"; }; }
apt() { quietly env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends "$@"; }

# Runs a command as a player: as_ada COMMAND...
as_ada() { runuser -u ada -- env HOME=/home/ada XDG_RUNTIME_DIR=/run/ada "$@"; }

# Makes a package that has another version, and a file that the original lacks: make_older VERSION
make_older() {
    rm -rf /tmp/older
    dpkg-deb --raw-extract packages/pixelboop_*.deb /tmp/older
    sed -i "s/^Version: .*/Version: $1/" /tmp/older/DEBIAN/control
    touch /tmp/older/usr/share/pixelboop/older
    dpkg-deb -Znone --root-owner-group --build /tmp/older /tmp/older.deb >/dev/null
}

# Starts the daemon without JACK, and prints after how many ms it answers.
start_daemon() {
    local start
    start=$(date +%s%3N)
    as_ada pixelboopd --driver internal >/tmp/pixelboopd.log 2>&1 &
    until as_ada pixelboop status >/dev/null 2>&1; do
        kill -0 $! || { cat /tmp/pixelboopd.log >&2; fail "the daemon does not start"; }
        (($(date +%s%3N) - start < 60000)) || fail "the daemon does not answer"
    done
    echo "the daemon answers after $(($(date +%s%3N) - start)) ms"
}

source /etc/os-release
echo "$PRETTY_NAME, $(dpkg --print-architecture)"
apt update
mapfile -t installed < <(dpkg-query -W -f '${Package}\n' 'pixelboop*' 2>/dev/null)
((${#installed[@]} == 0)) || apt purge "${installed[@]}"
id ada >/dev/null 2>&1 || useradd --create-home ada
rm -rf /home/ada/.local && install -d -o ada -m 700 /run/ada
version=$(dpkg-deb --field packages/pixelboop_*.deb Version)

apt install ./packages/*.deb
dpkg-query -W -f '${Package} ${Version}: ${Installed-Size} KiB\n' 'pixelboop*'
du -b --apparent-size /usr/bin/pixelboop*
for program in /usr/bin/pixelboop*; do [[ $($program --version) == *"$version"* ]] || fail "$program"; done

start_daemon
# A new session has the demo.
quietly as_ada pixelboop touch tap 4 7
quietly as_ada pixelboop play
as_ada pixelboop listen 2>/tmp/listen.log | head -c 800000 >/tmp/heard
heard=$(tr -d '\0' </tmp/heard | wc -c)
((heard > 10000)) || { cat /tmp/listen.log >&2; as_ada pixelboop status >&2; fail "it is silent: $heard of 800000"; }
echo "it plays: $(as_ada pixelboop status | head -1)"
kill "$(pidof pixelboopd)" && wait || fail "the daemon does not end"
grep -q . /tmp/pixelboopd.log && ! grep -iE 'fatal|error:' /tmp/pixelboopd.log || fail "see the daemon's log"
# Python only measures.
apt install python3
as_ada python3 -B - <starts.py

older=${version%%[~-]*}~git20200101.0123abcd
make_older "$older"
apt install --allow-downgrades /tmp/older.deb
[[ -e /usr/share/pixelboop/older ]] || fail "the older package was not installed"
apt install ./packages/pixelboop_*.deb
[[ ! -e /usr/share/pixelboop/older ]] || fail "version $older stays installed"
echo "apt-get install replaces the older build $older"

purged=$(DEBIAN_FRONTEND=noninteractive apt-get -y purge 'pixelboop*')
[[ $purged == *.local/state/pixelboop* ]] || fail "apt-get purge does not say where sessions are"
[[ -s /home/ada/.local/state/pixelboop/session.db ]] || fail "apt-get purge has deleted a session"
[[ ! -e /etc/pixelboop ]] || fail "apt-get purge leaves the configuration"
echo "apt-get purge keeps the session, and says: $(grep -F .local/state/pixelboop <<<"$purged")"
