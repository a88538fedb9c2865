# What tests talk to and others wrote: libraries of PyPI for the programs in Tests/Peers. Sourced by the other scripts, in
# the repository's top folder.

peer_libraries=(sacn==1.11.0 python-osc==1.10.2)

# Installs the libraries into an environment of their own, .build/python.
install_peers() {
    local installed=.build/python/installed
    [[ $(cat "$installed" 2>/dev/null) != "${peer_libraries[*]}" ]] || return 0
    # Debian's own Python, which python3-venv is for.
    /usr/bin/python3 -m venv --clear .build/python
    .build/python/bin/pip install --quiet --disable-pip-version-check "${peer_libraries[@]}"
    echo "${peer_libraries[*]}" >"$installed"
}
