import Grid
import JSON

/// A whole picture.
public struct KeyFrame: WireMessage {
    /// Its number, counted for all clients together; higher for later pictures.
    public var sequence: Int
    public var frame: Frame

    public init(sequence: Int, frame: Frame) {
        self.sequence = sequence
        self.frame = frame
    }

    /// `{"seq": n, "cols": 44, "rows": 24, "rgb": [1056 integers 0xRRGGBB, row by row]}`
    public static let kind = Kind<KeyFrame>.record(
        Member("seq", .integer, \.sequence), Member("cols", .constant(Frame.columns), { _ in Frame.columns }),
        Member("rows", .constant(Frame.rows), { _ in Frame.rows }), Member("rgb", .cells, \.frame),
        make: { sequence, _, _, frame in KeyFrame(sequence: sequence, frame: frame) }
    ).defined(as: "KeyFrame")

    /// The same object as ``json``, written without a thousand intermediate JSON values.
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
        ],
        reading: frame, writing: { .array($0.cells.map { .integer(Int($0)) }) })

    private static func frame(_ value: JSONValue) -> Frame? {
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
