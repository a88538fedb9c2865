import Grid
import JSON

/// A whole picture.
public struct KeyFrame: WireMessage {
    /// Its number: one counter for all clients; a higher number is a later picture.
    public var sequence: Int
    /// The picture.
    public var frame: Frame

    /// A whole picture.
    public init(sequence: Int, frame: Frame) {
        self.sequence = sequence
        self.frame = frame
    }

    /// Reads `{"seq": n, "cols": 44, "rows": 24, "rgb": [...]}`.
    public init(_ fields: Fields) throws(FieldError) {
        sequence = try fields("seq", .integer)
        _ = try fields("cols", .integer(in: Frame.columns...Frame.columns))
        _ = try fields("rows", .integer(in: Frame.rows...Frame.rows))
        frame = try fields("rgb", .cells)
    }

    /// `{"seq": n, "cols": 44, "rows": 24, "rgb": [1056 integers 0xRRGGBB, row by row]}`
    public var json: JSONObject {
        [
            "seq": .integer(sequence), "cols": .integer(Frame.columns), "rows": .integer(Frame.rows),
            "rgb": .array(frame.cells.map { .integer(Int($0)) }),
        ]
    }

    /// The same object as ``json`` without the detour over a thousand JSON values.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(10_240)
        bytes.append(contentsOf: "{\"seq\":".utf8)
        bytes.appendJSON(sequence)
        bytes.append(contentsOf: ",\"cols\":\(Frame.columns),\"rows\":\(Frame.rows),\"rgb\":[".utf8)
        for (index, rgb) in frame.cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.appendJSON(Int(rgb))
        }
        bytes.append(contentsOf: "]}".utf8)
        return bytes
    }
}

extension Kind<Frame> {
    fileprivate static let cells = Kind(
        expected: "an array of \(Frame.cellCount) colours",
        schema: [
            "type": "array", "minItems": .integer(Frame.cellCount), "maxItems": .integer(Frame.cellCount),
            "items": ["type": "integer", "minimum": 0, "maximum": 0xff_ffff],
        ]
    ) { value in
        guard let elements = value.arrayValue, elements.count == Frame.cellCount else { return nil }
        var cells: [UInt32] = []
        cells.reserveCapacity(Frame.cellCount)
        for element in elements {
            guard let rgb = element.intValue, (0...0xff_ffff).contains(rgb) else { return nil }
            cells.append(UInt32(rgb))
        }
        return Frame(cells: cells)
    }
}
