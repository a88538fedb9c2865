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
    public var changes: [CellChange<String>]

    public init(sequence: Int, base: Int? = nil, changes: [CellChange<String>]) {
        self.sequence = sequence
        self.base = base
        self.changes = changes
    }

    /// `{"seq": n, "base": m, "cells": [index, "E", index, "", ...]}`
    public static let kind = Kind<LabelUpdate>.record(
        Member("seq", .integer, \.sequence), .optional("base", .integer, \.base),
        Member(
            "cells",
            .cells(
                "text", "; empty for none", elements: ["type": ["integer", "string"]], reading: { $0.stringValue },
                writing: { .string($0) }),
            \.changes),
        make: { LabelUpdate(sequence: $0, base: $1, changes: $2) }
    ).defined(as: "LabelUpdate")
}
