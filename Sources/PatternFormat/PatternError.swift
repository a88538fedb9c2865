import JSON

/// Why a text or value is not a pattern.
public struct PatternError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Where, as a path from the top: `tracks.melody.notes[3].col`; empty for the whole.
    public let place: String
    /// What is wrong there: `12 is a bar separator`.
    public let message: String

    /// An error at a place.
    public init(place: String, message: String) {
        self.place = place
        self.message = message
    }

    /// `tracks.melody.notes[3].col: 12 is a bar separator`
    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

extension PatternError {
    /// The field reader's error.
    init(_ error: FieldError) {
        self.init(place: error.field, message: error.message)
    }
}
