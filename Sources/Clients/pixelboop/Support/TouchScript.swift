import ArgumentParser
import PixelBoopClient

/// The movements of a finger in words: `down 4 5 wait 500 move 8 5 up`.
struct TouchScript: Equatable {
    enum Act: Equatable {
        case touch(TouchPhase, x: Double, y: Double)
        case wait(Duration)
    }

    private(set) var acts: [Act] = []

    /// Reads a script. A whole number means the middle of a cell; `up` and `cancel` without a place happen where the
    /// finger is; `tap` is `down` and `up`.
    init(words: [String]) throws(ValidationError) {
        var words = words[...]
        var place: (x: Double, y: Double)?
        while let word = words.popFirst() {
            if word == "wait" {
                acts.append(.wait(try TouchScript.milliseconds(&words)))
                continue
            }
            guard let phase = word == "tap" ? .down : TouchPhase(rawValue: word) else {
                throw ValidationError("'\(word)': expected down, move, up, cancel, tap or wait")
            }
            if let next = try TouchScript.place(&words) { place = next }
            guard let (x, y) = place else { throw ValidationError("\(word): expected a column and a row") }
            acts.append(.touch(phase, x: x, y: y))
            if word == "tap" { acts.append(.touch(.up, x: x, y: y)) }
        }
        guard !acts.isEmpty else { throw ValidationError("expected what the finger does, as in `tap 4 5`") }
    }

    private static func milliseconds(_ words: inout ArraySlice<String>) throws(ValidationError) -> Duration {
        guard let number = words.popFirst().flatMap({ Int($0) }), (0...60_000).contains(number) else {
            throw ValidationError("wait: expected milliseconds, 0 to 60000")
        }
        return .milliseconds(number)
    }

    private static func place(_ words: inout ArraySlice<String>) throws(ValidationError) -> (x: Double, y: Double)? {
        guard let first = words.first, let x = coordinate(first) else { return nil }
        words.removeFirst()
        guard let y = words.popFirst().flatMap(coordinate) else {
            throw ValidationError("\(first): expected a row after the column")
        }
        return (x, y)
    }

    private static func coordinate(_ word: String) -> Double? {
        if let cell = Int(word) { return Double(cell) + 0.5 }
        guard let place = Double(word), place.isFinite else { return nil }
        return place
    }
}
