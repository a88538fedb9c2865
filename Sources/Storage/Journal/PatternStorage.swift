import Music

// How patterns lie in snapshots and journals. The numbers of tracks, scales and velocities are those of Music's raw
// values; a change of any of this needs a new version of the files.

extension Cells: Storable {
    /// One bit for each step of each track that is not empty, then the 24 bits of each of these.
    func write(to writer: inout ByteWriter) {
        var steps = ByteWriter()
        for track in Track.allCases {
            var occupied: UInt32 = 0
            for step in 0..<Cells.stepCount where !self[track, step].isEmpty {
                occupied |= 1 << UInt32(step)
                let bits = self[track, step].bits
                for shift in stride(from: 0, to: 24, by: 8) {
                    steps.write(UInt8(truncatingIfNeeded: bits >> UInt32(shift)))
                }
            }
            writer.write(occupied)
        }
        writer.write(raw: steps.bytes)
    }

    init(from reader: inout ByteReader) throws(MalformedData) {
        self.init()
        var occupied: [UInt32] = []
        for _ in Track.allCases { occupied.append(try reader.integer()) }
        for track in Track.allCases {
            for step in 0..<Cells.stepCount where occupied[track.rawValue] & 1 << UInt32(step) != 0 {
                let bits = try reader.take(3).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                self[track, step] = StepNotes(bits: bits)
            }
        }
    }
}

extension Tempo: Storable {
    func write(to writer: inout ByteWriter) { writer.write(UInt16(hundredths)) }

    init(from reader: inout ByteReader) throws(MalformedData) {
        guard let tempo = Tempo(bpm: Double(try reader.integer(UInt16.self)) / 100) else { throw MalformedData() }
        self = tempo
    }
}

extension PitchClass: Storable {
    func write(to writer: inout ByteWriter) { writer.write(UInt8(number)) }

    init(from reader: inout ByteReader) throws(MalformedData) {
        let number = Int(try reader.integer(UInt8.self))
        guard PitchClass.allCases.indices.contains(number) else { throw MalformedData() }
        self.init(number)
    }
}

extension Pattern: Storable {
    func write(to writer: inout ByteWriter) {
        writer.write(name)
        cells.write(to: &writer)
        writer.write(UInt8(clamping: length))
        tempo.write(to: &writer)
        writer.write(swing)
        key.root.write(to: &writer)
        writer.write(UInt8(key.scale.rawValue))
        for time in [created, modified] {
            writer.write(time != nil)
            writer.write(Int64(time ?? 0))
        }
    }

    init(from reader: inout ByteReader) throws(MalformedData) {
        self.init()
        name = try reader.text()
        cells = try Cells(from: &reader)
        length = try reader.length()
        tempo = try Tempo(from: &reader)
        swing = try reader.number(in: Pattern.swings)
        key.root = try PitchClass(from: &reader)
        key.scale = try reader.choice()
        created = try reader.time()
        modified = try reader.time()
    }
}

extension ByteReader {
    /// A pattern's length, clamped into 8 to 32.
    mutating func length() throws(MalformedData) -> Int {
        min(max(Int(try integer(UInt8.self)), Pattern.lengths.lowerBound), Pattern.lengths.upperBound)
    }

    fileprivate mutating func time() throws(MalformedData) -> Int? {
        let isKnown = try flag()
        let time = Int(try integer(Int64.self))
        return isKnown ? time : nil
    }
}
