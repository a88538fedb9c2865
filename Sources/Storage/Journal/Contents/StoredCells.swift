import Foundation
import JSON
import Music

// Cells in journals and snapshots: an object with a member for each track that has notes. It is the base64 of four bytes
// that have a bit for each step that is not empty, then three bytes for each of these steps, two bits a note; numbers are
// little-endian.

extension Cells {
    /// The cells as they are stored.
    var stored: JSONObject {
        var object = JSONObject()
        for track in Track.allCases { object[track.name] = self[track].stored }
        return object
    }

    /// Reads ``stored``; tracks that are not known are left out.
    init(stored object: JSONObject) throws(MalformedData) {
        self.init()
        for track in Track.allCases {
            if let value = object[track.name] { self[track] = try TrackCells(stored: value) }
        }
    }
}

extension TrackCells {
    /// The cells as they are stored, nil when there are no notes.
    var stored: JSONValue? {
        let occupied = (0..<Cells.stepCount).filter { !self[$0].isEmpty }
        guard !occupied.isEmpty else { return nil }
        var writer = ByteWriter()
        writer.write(occupied.reduce(UInt32(0)) { $0 | 1 << UInt32($1) })
        for step in occupied {
            let bits = self[step].bits
            for shift in [0, 8, 16] as [UInt32] { writer.write(UInt8(truncatingIfNeeded: bits >> shift)) }
        }
        return .string(Data(writer.bytes).base64EncodedString())
    }

    /// Reads ``stored``.
    init(stored value: JSONValue) throws(MalformedData) {
        self.init()
        guard let bytes = value.stringValue.flatMap({ Data(base64Encoded: $0) }) else { throw MalformedData() }
        var reader = ByteReader(Array(bytes)[...])
        let occupied = try reader.integer(UInt32.self)
        for step in 0..<Cells.stepCount where occupied & 1 << UInt32(step) != 0 {
            let bits = try reader.take(3).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            self[step] = StepNotes(bits: bits)
        }
        guard reader.isAtEnd else { throw MalformedData() }
    }
}
