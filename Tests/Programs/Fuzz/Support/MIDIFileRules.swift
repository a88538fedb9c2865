/// What holds for every MIDI file that we write: its chunks fill it, its events fill them, and every key that is pressed is
/// released.
struct MIDIFileRules {
    private var rest: ArraySlice<UInt8>

    static func check(_ file: [UInt8]) {
        var rules = MIDIFileRules(rest: file[...])
        require(rules.chunk("MThd").count == 6, "a header of another length")
        while !rules.rest.isEmpty {
            var track = MIDIFileRules(rest: rules.chunk("MTrk"))
            track.checkEvents()
        }
    }

    private mutating func bytes(_ count: Int) -> ArraySlice<UInt8> {
        require(count <= rest.count, "\(count) bytes where there are \(rest.count)")
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private mutating func chunk(_ name: String) -> ArraySlice<UInt8> {
        require(bytes(4).elementsEqual(name.utf8), "no chunk \(name)")
        return bytes(bytes(4).reduce(0) { $0 << 8 | Int($1) })
    }

    /// A number of seven bits a byte.
    private mutating func number() -> Int {
        var number = 0
        while let byte = bytes(1).first {
            number = number << 7 | Int(byte & 0x7f)
            if byte < 0x80 { break }
        }
        return number
    }

    private mutating func checkEvents() {
        var down: Set<Int> = []
        while true {
            _ = number()
            let status = bytes(1).first ?? 0
            if status == 0xff {
                let kind = bytes(1).first
                _ = bytes(number())
                if kind == 0x2f { break }
                continue
            }
            require((0x80..<0xf0).contains(status), "an event \(status)")
            let data = bytes((0xc0..<0xe0).contains(status) ? 1 : 2)
            require(data.allSatisfy { $0 < 0x80 }, "data \(data)")
            let key = Int(status & 0xf) << 7 | Int(data.first ?? 0)
            if status >> 4 == 9 && data.last != 0 { down.insert(key) } else if status >> 4 <= 9 { down.remove(key) }
        }
        require(rest.isEmpty && down.isEmpty, "after its end: \(rest.count) bytes, \(down.count) keys")
    }
}
