# The usage in the head of a script. Sourced by the other scripts.

# Prints it, and exits with a status; the working directory is the repository.
usage() {
    sed -n 's/^# \{0,1\}//; /^usage:/,/^set/{/^set/q; p}' "scripts/${0##*/}"
    exit "$1"
}
