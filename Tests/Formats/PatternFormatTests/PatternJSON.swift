import JSON
import PatternFormat

/// A pattern with these notes on one track, and defaults otherwise.
func patternJSON(_ track: String = "melody", notes: JSONValue) -> JSONValue {
    ["tracks": [.init(track): ["notes": notes]]]
}

extension JSONValue {
    /// A note of the format.
    static func note(_ col: JSONValue = 4, _ pitch: JSONValue = 60, _ velocity: JSONValue = "normal") -> JSONValue {
        ["col": col, "pitch": pitch, "velocity": velocity]
    }
}

/// The error that decoding throws, nil when it succeeds.
func refusal(of value: JSONValue, columns: PatternFormat.Columns = .grid) -> PatternError? {
    do throws(PatternError) {
        _ = try PatternFormat.decode(value, columns: columns)
        return nil
    } catch {
        return error
    }
}
