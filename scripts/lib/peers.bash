# The tests' peers that others wrote: libraries from PyPI for the programs in Tests/Programs/Peers. Sourced by the other scripts, in
# the repository's top folder.

peer_libraries=(sacn==1.11.0 python-osc==1.10.2)

# Installs the libraries into an environment of their own, .build/python.
install_peers() {
    local installed=.build/python/installed
    [[ $(cat "$installed" 2>/dev/null) != "${peer_libraries[*]}" ]] || return 0
    # Debian's own Python, for Debian's python3-venv.
    /usr/bin/python3 -m venv --clear .build/python
    .build/python/bin/pip install --quiet --disable-pip-version-check "${peer_libraries[@]}"
    echo "${peer_libraries[*]}" >"$installed"
}
