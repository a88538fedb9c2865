import Testing

/// Reads a Standard MIDI File strictly by the standard, without the writer's code.
struct MIDIReader {
    struct Note: Equatable {
        var channel: Int
        var key: Int
        var velocity: Int
        var start: Int
        var end: Int
    }

    struct Track {
        var meta: [(tick: Int, type: Int, content: [UInt8])] = []
        var notes: [Note] = []
        var controllers: [(tick: Int, channel: Int, number: Int, value: Int)] = []
        var end = 0

        func content(of type: Int) -> [UInt8]? { meta.first { $0.type == type }?.content }
        var name: String? { content(of: 3).map { String(decoding: $0, as: UTF8.self) } }
    }

    var format = 0
    var ticksPerBeat = 0
    var tracks: [Track] = []

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        let header = (text(), number(4))
        try #require(header == ("MThd", 6))
        format = number(2)
        let count = number(2)
        ticksPerBeat = number(2)
        for _ in 0..<count { try readTrack() }
        try #require(place == bytes.count, "nothing behind the last track")
    }

    private mutating func number(_ size: Int) -> Int {
        defer { place += size }
        return bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func text() -> String {
        defer { place += 4 }
        return String(decoding: bytes[place..<place + 4], as: UTF8.self)
    }

    private mutating func variableLength() -> Int {
        var value = 0
        while true {
            let byte = number(1)
            value = value << 7 | byte & 0x7f
            if byte < 0x80 { return value }
        }
    }

    private mutating func readTrack() throws {
        let kind = text()
        try #require(kind == "MTrk")
        let size = number(4)
        let end = place + size
        var track = Track()
        var tick = 0
        var sounding: [Int: Note] = [:]
        while place < end {
            tick += variableLength()
            let status = number(1)
            switch status & 0xf0 {
            case 0x90:
                let note = Note(channel: status & 15, key: number(1), velocity: number(1), start: tick, end: -1)
                try #require(sounding[note.key] == nil, "a note starts while it sounds")
                sounding[note.key] = note
            case 0x80:
                let key = number(1)
                _ = number(1)
                var note = try #require(sounding[key], "a note ends that did not start")
                note.end = tick
                sounding[key] = nil
                track.notes.append(note)
            case 0xb0:
                track.controllers.append((tick, status & 15, number(1), number(1)))
            default:
                try #require(status == 0xff)
                let type = number(1)
                let length = variableLength()
                track.meta.append((tick, type, Array(bytes[place..<place + length])))
                place += length
            }
        }
        try #require(place == end && sounding.isEmpty)
        try #require(track.meta.last?.type == 0x2f && track.meta.filter { $0.type == 0x2f }.count == 1)
        track.end = tick
        track.notes.sort { ($0.start, $0.key) < ($1.start, $1.key) }
        tracks.append(track)
    }
}
