import Music
import TerminalGrid

/// The keys of the computer's keyboard that play a track: those of the home row the notes of the key or drums 0 to 5,
/// those above it drums 6 to 11.
struct KeyHand: Equatable {
    static let homeRow = Array("asdfghjkl")
    static let upperRow = Array("qwertyuiop")

    /// The velocity of a key, and of one with Shift.
    static let velocity = 64
    static let accent = 112

    /// What each key holds, on a terminal that reports releases.
    private var held: [Character: PlayedKey] = [:]

    /// The commands of a key; nil if it does not belong to the rows that play.
    ///
    /// - Parameter stepSeconds: How long a key lasts on a terminal that reports no releases.
    mutating func react(to input: InputEvent, on track: Track, _ key: Key, stepSeconds: Double) -> [InstrumentCommand]?
    {
        switch input {
        case .key(.character(let character)):
            let lower = Character(character.lowercased())
            guard KeyHand.isOfRows(lower) else { return nil }
            guard let played = KeyHand.key(at: lower, on: track, key) else { return [] }
            return [
                .strike(played, velocity: KeyHand.velocity(isShifted: lower != character), seconds: stepSeconds)
            ]
        case .report(let report):
            guard case .character = report.key, let place = report.place, KeyHand.isOfRows(place) else { return nil }
            return react(to: report, at: place, on: track, key)
        case .key, .mouse: return nil
        }
    }

    private mutating func react(
        to report: KeyReport, at place: Character, on track: Track, _ key: Key
    ) -> [InstrumentCommand] {
        switch report.action {
        case .press:
            guard let played = KeyHand.key(at: place, on: track, key) else { return [] }
            held[place] = played
            return [.press(played, velocity: KeyHand.velocity(isShifted: report.isShifted))]
        case .repetition: return []
        case .release: return held.removeValue(forKey: place).map { [.release($0)] } ?? []
        }
    }

    /// Releases what is held.
    mutating func letGo() -> [InstrumentCommand] {
        defer { held = [:] }
        return held.sorted { $0.key < $1.key }.map { .release($0.value) }
    }

    /// Which key of a track a place of the keyboard plays, nil for none.
    static func key(at place: Character, on track: Track, _ key: Key) -> PlayedKey? {
        if let index = homeRow.firstIndex(of: place) {
            let notes = track.isPitched ? (0..<Track.noteCount).filter(key.contains) : Array(0..<6)
            return index < notes.count ? PlayedKey(track, note: notes[index]) : nil
        }
        guard !track.isPitched, let index = upperRow.firstIndex(of: place), index < 6 else { return nil }
        return PlayedKey(track, note: 6 + index)
    }

    /// Which notes the keys play: `a C  s D  d E`.
    static func legend(of track: Track, _ key: Key) -> String {
        (homeRow + upperRow).compactMap { place in
            KeyHand.key(at: place, on: track, key).flatMap { track.note(atMIDIPitch: $0.key) }
                .map { "\(place) \(track.isPitched ? PitchClass($0).name : Drum.allCases[$0].abbreviation)" }
        }.joined(separator: "  ")
    }

    private static func isOfRows(_ place: Character) -> Bool { homeRow.contains(place) || upperRow.contains(place) }

    private static func velocity(isShifted: Bool) -> Int { isShifted ? accent : velocity }
}

/// The keys that a terminal without releases holds: each for a while, and longer while it repeats.
struct KeyStrikes<Key: Hashable> {
    /// A key that comes again within this time repeats; no finger is as fast.
    private static var repetition: Duration { .milliseconds(100) }

    private struct Strike {
        var newest: ContinuousClock.Instant
        var end: ContinuousClock.Instant
    }

    private var strikes: [Key: Strike] = [:]

    /// A key has come.
    ///
    /// - Parameter isHeldOn: Whether a finger that strikes it again while it is held does not press it again.
    /// - Returns: Whether to press it: not if it repeats and is still held.
    mutating func strike(
        _ key: Key, at now: ContinuousClock.Instant, lasting length: Duration, isHeldOn: Bool = false
    ) -> Bool {
        let last = strikes[key]
        strikes[key] = Strike(newest: now, end: now + length)
        return last.map { !isHeldOn && now - $0.newest > Self.repetition } ?? true
    }

    /// Whether to release a key now; it is then forgotten.
    mutating func isOver(_ key: Key, at now: ContinuousClock.Instant) -> Bool {
        guard let strike = strikes[key], strike.end <= now else { return false }
        strikes[key] = nil
        return true
    }
}
