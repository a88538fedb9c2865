import Engine

/// The keys that are down for somebody who hears the output.
struct KeysAtOutput {
    private(set) var down: Set<Int> = []

    mutating func accept(_ event: MidiEvent) {
        let key = Int(event.status & 0xf) << 7 | Int(event.first)
        switch event.status & 0xf0 {
        case 0x90: require(down.insert(key).inserted, "a key that is down is pressed: \(event)")
        case 0x80: require(down.remove(key) != nil, "a key that is up is released: \(event)")
        case 0xb0 where event.first == 123: down = down.filter { $0 >> 7 != Int(event.status & 0xf) }
        default: break
        }
    }
}
