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
    /// That one thing was expected and another found, here or at a member.
    init(expected: String, found: JSONValue, at place: String = "") {
        let text: String
        switch found {
        case .array, .object: text = found.kind
        default: text = PatternError.shortened(found.text)
        }
        self.init(place: place, message: "expected \(expected), not \(text)")
    }

    private static func shortened(_ text: String, limit: Int = 40) -> String {
        text.unicodeScalars.count <= limit ? text : "\(String(text.unicodeScalars.prefix(limit)))..."
    }

    /// The error as seen from one level higher.
    fileprivate func inside(_ step: String) -> PatternError {
        let separator = place.isEmpty || place.hasPrefix("[") ? "" : "."
        return PatternError(place: step + separator + place, message: message)
    }
}

/// Runs what reads the value at a member or element; what it throws names that place too.
func at<Result>(_ step: @autoclosure () -> String, read: () throws(PatternError) -> Result) throws(PatternError)
    -> Result
{
    do {
        return try read()
    } catch {
        throw error.inside(step())
    }
}
