import Music

// How a whole document, its history included, lies in a snapshot.

extension Snapshot: Storable {
    func write(to writer: inout ByteWriter) {
        cells.write(to: &writer)
        writer.write(settings)
    }

    init(from reader: inout ByteReader) throws(MalformedData) {
        self.init(cells: try Cells(from: &reader), settings: try reader.optional())
    }
}

extension History.Entry: Storable {
    func write(to writer: inout ByteWriter) {
        before.write(to: &writer)
        after.write(to: &writer)
    }

    init(from reader: inout ByteReader) throws(MalformedData) {
        self.init(before: try Snapshot(from: &reader), after: try Snapshot(from: &reader))
    }
}

extension History.Dropped: Storable {
    func write(to writer: inout ByteWriter) {
        writer.write(redoable)
        writer.write(oldest)
    }

    init(from reader: inout ByteReader) throws(MalformedData) {
        self.init(redoable: try reader.values(atMost: History.capacity), oldest: try reader.optional())
    }
}

extension History: Storable {
    func write(to writer: inout ByteWriter) {
        writer.write(undoable)
        writer.write(redoable)
        writer.write(dropped)
    }

    init(from reader: inout ByteReader) throws(MalformedData) {
        self.init(
            undoable: try reader.values(atMost: History.capacity),
            redoable: try reader.values(atMost: History.capacity),
            dropped: try reader.optional())
    }
}

extension Mix: Storable {
    func write(to writer: inout ByteWriter) {
        for track in Track.allCases {
            writer.write(self[track].isMuted)
            writer.write(self[track].gain)
            writer.write(self[track].pan)
        }
        writer.write(solo)
    }

    init(from reader: inout ByteReader) throws(MalformedData) {
        self.init()
        for track in Track.allCases {
            self[track].isMuted = try reader.flag()
            self[track].gain = try reader.number(in: TrackMix.gains)
            self[track].pan = try reader.number(in: TrackMix.pans)
        }
        solo = try reader.optional()
    }
}

extension Track: Storable {
    func write(to writer: inout ByteWriter) { writer.write(UInt8(rawValue)) }

    init(from reader: inout ByteReader) throws(MalformedData) { self = try reader.choice() }
}

extension Document: Storable {
    func write(to writer: inout ByteWriter) {
        pattern.write(to: &writer)
        history.write(to: &writer)
        mix.write(to: &writer)
        writer.write(UInt8(colorMode.rawValue))
        writer.write(showsGhosts)
    }

    init(from reader: inout ByteReader) throws(MalformedData) {
        self.init(
            pattern: try Pattern(from: &reader), history: try History(from: &reader), mix: try Mix(from: &reader),
            colorMode: try reader.choice(), showsGhosts: try reader.flag())
    }
}
