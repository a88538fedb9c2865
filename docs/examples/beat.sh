#!/usr/bin/env bash
# Writes a beat, plays it once around, and prints the grid. Needs socat and jq.
set -euo pipefail

# Where the socket is: docs/protocol.md.
find_socket() {
    local own=${XDG_RUNTIME_DIR:-/run/user/$UID}/pixelboop/control.sock system=/run/pixelboop/control.sock
    if [[ ${PIXELBOOP_SOCKET:-} ]]; then
        echo "$PIXELBOOP_SOCKET"
    elif ! is_served "$own" && is_served "$system"; then
        echo "$system"
    else
        echo "$own"
    fi
}

is_served() { socat -u OPEN:/dev/null "UNIX-CONNECT:$1" 2>/dev/null; }

socket=$(find_socket)
coproc daemon { exec socat - "UNIX-CONNECT:$socket"; }
exec {to}>&"${daemon[1]}" {from}<&"${daemon[0]}"

# Prints a method's result: call METHOD [PARAMETERS]
id=0
call() {
    local line parameters=${2:-}
    id=$((id + 1))
    jq -cn --arg method "$1" --argjson params "${parameters:-{\}}" --argjson id $id \
        '{jsonrpc: "2.0", $method, $params, $id}' >&"$to"
    while IFS= read -r line <&"$from"; do
        if jq -e --argjson id $id '.id == $id' <<<"$line" >/dev/null; then
            jq -ce '.result // halt_error' <<<"$line"
            return
        fi
    done
}

length=$(call state.get | jq '[16, .length] | min')
for beat in "0 x...x...x...x..." "3 ....x.......x..." "7 ..x...x...x...x."; do
    read -r note steps <<<"$beat"
    for ((step = 0; step < length; step++)); do
        [[ ${steps:step:1} == x ]] || continue
        call note.set "{\"track\": \"rhythm\", \"step\": $step, \"note\": $note, \"velocity\": \"normal\"}" >/dev/null
    done
done

call subscribe '{"topics": ["step"]}' >/dev/null
call transport.play >/dev/null
while IFS= read -r line <&"$from"; do
    step=$(jq -r 'select(.method == "step").params.step' <<<"$line")
    [[ $step ]] || continue
    echo "step $step"
    ((step != length - 1)) || break
done
call transport.stop >/dev/null

call frame.get | jq -r '
    def brightness: [. / 65536, . / 256 % 256, . % 256] | map(floor) | max * 4 / 255 | floor;
    .rgb as $cells | range(0; 24) as $row | [$cells[$row * 44:][:44][] | " .:*#"[brightness:][:1]] | join("")'
