import Grid
import JSON

/// The cells that changed since the last picture that this client was sent.
public struct FrameUpdate: NotificationMessage {
    public static let method = Topic.frame.rawValue

    /// Number of the new picture.
    public var sequence: Int
    /// Number of the picture that the changes apply to.
    public var base: Int
    /// The cells and their colours.
    public var changes: [CellChange<UInt32>]

    public init(sequence: Int, base: Int, changes: [CellChange<UInt32>]) {
        self.sequence = sequence
        self.base = base
        self.changes = changes
    }

    /// `{"seq": n, "base": m, "cells": [index, rgb, index, rgb, ...]}`
    public static let kind = Kind<FrameUpdate>.record(
        Member("seq", .integer.meaning("The number of this picture."), \.sequence),
        Member("base", .integer.meaning("The number of the picture that the cells change."), \.base),
        Member(
            "cells",
            .cells(
                "colour", ", 0xRRGGBB", elements: ["type": "integer", "minimum": 0, "maximum": 0xff_ffff],
                reading: { $0.intValue.flatMap { (0...0xff_ffff).contains($0) ? UInt32($0) : nil } },
                writing: { .integer(Int($0)) }),
            \.changes),
        make: { FrameUpdate(sequence: $0, base: $1, changes: $2) })

    /// The message as a line, its newline included; written without intermediate JSON values, because it is the
    /// daemon's most frequent message.
    public var line: [UInt8] {
        DaemonNotification.line(method: FrameUpdate.method, reserving: 13 * changes.count) { bytes in
            bytes.append(contentsOf: "{\"seq\":".utf8)
            bytes.appendJSON(sequence)
            bytes.append(contentsOf: ",\"base\":".utf8)
            bytes.appendJSON(base)
            bytes.append(contentsOf: ",\"cells\":[".utf8)
            for (place, change) in changes.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.appendJSON(change.index)
                bytes.append(UInt8(ascii: ","))
                bytes.appendJSON(Int(change.value))
            }
            bytes.append(contentsOf: "]}".utf8)
        }
    }
}

extension Kind {
    /// An array of the indexes of cells, each followed by what the cell shows.
    ///
    /// - Parameters:
    ///   - value: What a cell shows, in words.
    ///   - details: What is to be said about it.
    ///   - elements: The schema of the array's elements.
    static func cells<Cell>(
        _ value: String, _ details: String, elements: JSONValue,
        reading read: @escaping @Sendable (JSONValue) -> Cell?, writing write: @escaping @Sendable (Cell) -> JSONValue
    ) -> Kind where Value == [CellChange<Cell>] {
        Kind(
            expected: "an array of indexes, each followed by its \(value)",
            schema: [
                "type": "array", "items": elements,
                "description":
                    "Indexes (row * \(Frame.columns) + column), each followed by its \(value)\(details).",
            ],
            reading: { json in
                guard let elements = json.arrayValue, elements.count.isMultiple(of: 2) else { return nil }
                var changes: [CellChange<Cell>] = []
                changes.reserveCapacity(elements.count / 2)
                for place in stride(from: 0, to: elements.count, by: 2) {
                    guard let index = elements[place].intValue, (0..<Frame.cellCount).contains(index),
                        let value = read(elements[place + 1])
                    else { return nil }
                    changes.append(CellChange(index: index, value: value))
                }
                return changes
            },
            writing: { .array($0.flatMap { [.integer($0.index), write($0.value)] }) })
    }
}
