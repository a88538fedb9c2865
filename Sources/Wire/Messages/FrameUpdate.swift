import Grid
import JSON

/// The cells that changed since the last picture that this client was sent.
public struct FrameUpdate: NotificationMessage {
    public static let method = Topic.frame.rawValue

    /// Number of the new picture.
    public var sequence: Int
    /// Number of the picture that the diff changes.
    public var base: Int
    /// The changed cells.
    public var diff: FrameDiff

    public init(sequence: Int, base: Int, diff: FrameDiff) {
        self.sequence = sequence
        self.base = base
        self.diff = diff
    }

    /// `{"seq": n, "base": m, "cells": [index, rgb, index, rgb, ...]}`
    public static let kind = Kind<FrameUpdate>.record(
        Member("seq", .integer.meaning("The number of this picture."), \.sequence),
        Member("base", .integer.meaning("The number of the picture that the cells change."), \.base),
        Member("cells", .changes, \.diff),
        make: { FrameUpdate(sequence: $0, base: $1, diff: $2) })

    /// The message as a line, its newline included; written without intermediate JSON values, because it is the
    /// daemon's most frequent message.
    public var line: [UInt8] {
        DaemonNotification.line(method: FrameUpdate.method, reserving: 13 * diff.changes.count) { bytes in
            bytes.append(contentsOf: "{\"seq\":".utf8)
            bytes.appendJSON(sequence)
            bytes.append(contentsOf: ",\"base\":".utf8)
            bytes.appendJSON(base)
            bytes.append(contentsOf: ",\"cells\":[".utf8)
            for (place, change) in diff.changes.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.appendJSON(change.index)
                bytes.append(UInt8(ascii: ","))
                bytes.appendJSON(Int(change.rgb))
            }
            bytes.append(contentsOf: "]}".utf8)
        }
    }
}

extension Kind<FrameDiff> {
    fileprivate static let changes = Kind(
        expected: "an array of indexes, each followed by its colour",
        schema: [
            "type": "array", "items": ["type": "integer", "minimum": 0, "maximum": 0xff_ffff],
            "description": "Indexes (row * \(Frame.columns) + column), each followed by its colour, 0xRRGGBB.",
        ], reading: diff,
        writing: { .array($0.changes.flatMap { [.integer($0.index), .integer(Int($0.rgb))] }) })

    private static func diff(_ value: JSONValue) -> FrameDiff? {
        guard let elements = value.arrayValue, elements.count.isMultiple(of: 2) else { return nil }
        var diff = FrameDiff(changes: [])
        diff.changes.reserveCapacity(elements.count / 2)
        for place in stride(from: 0, to: elements.count, by: 2) {
            guard let index = elements[place].intValue, (0..<Frame.cellCount).contains(index),
                let rgb = elements[place + 1].intValue, (0...0xff_ffff).contains(rgb)
            else { return nil }
            diff.changes.append(.init(index: index, rgb: UInt32(rgb)))
        }
        return diff
    }
}
