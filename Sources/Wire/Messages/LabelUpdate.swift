import Grid
import JSON

/// The texts of the step cells: all of them, or those that changed since the last update that this client was sent.
public struct LabelUpdate: NotificationMessage {
    public static let method = Topic.labels.rawValue

    /// Number of the new labels.
    public var sequence: Int
    /// Number of the labels that the changes apply to; nil for a complete set, in which other cells have no text.
    public var base: Int?
    /// The cells and their texts.
    public var changes: [Labels.Change]

    public init(sequence: Int, base: Int? = nil, changes: [Labels.Change]) {
        self.sequence = sequence
        self.base = base
        self.changes = changes
    }

    /// `{"seq": n, "base": m, "cells": [index, "E", index, "", ...]}`
    public static let kind = Kind<LabelUpdate>.record(
        Member("seq", .integer, \.sequence), .optional("base", .integer, \.base),
        Member("cells", .labelChanges, \.changes),
        make: { LabelUpdate(sequence: $0, base: $1, changes: $2) }
    ).defined(as: "LabelUpdate")
}

extension Kind<[Labels.Change]> {
    fileprivate static let labelChanges = Kind(
        expected: "an array of indexes, each followed by its text",
        schema: [
            "type": "array", "items": ["type": ["integer", "string"]],
            "description": "Indexes (row * \(Frame.columns) + column), each followed by its text; empty for none.",
        ], reading: changes,
        writing: { .array($0.flatMap { [.integer($0.index), .string($0.text)] }) })

    private static func changes(_ value: JSONValue) -> [Labels.Change]? {
        guard let elements = value.arrayValue, elements.count.isMultiple(of: 2) else { return nil }
        var changes: [Labels.Change] = []
        for place in stride(from: 0, to: elements.count, by: 2) {
            guard let index = elements[place].intValue, (0..<Frame.cellCount).contains(index),
                let text = elements[place + 1].stringValue
            else { return nil }
            changes.append(.init(index: index, text: text))
        }
        return changes
    }
}
