#!/usr/bin/env bash
# Writes a beat and plays it by Open Sound Control. Needs oscsend (liblo-tools) and a running pixelboop-osc, which finds the
# daemon.
set -euo pipefail

osc=${1:-osc.udp://127.0.0.1:9044}
for step in 0 4 8 12; do oscsend "$osc" /pixelboop/note/set siis rhythm "$step" 0 normal; done
for step in 4 12; do oscsend "$osc" /pixelboop/note/set siis rhythm "$step" 3 accent; done
oscsend "$osc" /pixelboop/transport/play
