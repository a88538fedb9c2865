import Music
import PixelBoopClient
import TestSupport

/// A client whose edits can be counted in what the daemon stored: each brings its part of the session to a new state,
/// which encodes the edit's number.
enum Editor: CaseIterable, Hashable {
    case melody, chords, bass, rhythm, tempo
    /// Launches slots, which takes effect at once while nothing plays.
    case slots

    /// Editors whose edits take effect at once, playing or not.
    static let prompt = allCases.filter { $0 != .slots }

    struct Edit {
        var sent: ContinuousClock.Instant
        /// When the daemon's answer arrived; nil if it never did.
        var answered: ContinuousClock.Instant?
    }

    private static let cells = 12

    /// Numbers start again at 0 after this many.
    var period: Int { self == .tempo ? 28_000 : 1 << Self.cells }

    private var track: Track? {
        switch self {
        case .melody: .melody
        case .chords: .chords
        case .bass: .bass
        case .rhythm: .rhythm
        case .tempo, .slots: nil
        }
    }

    /// Makes one edit after the other, a few milliseconds apart, until the connection ends.
    ///
    /// - Parameter number: The number of the last earlier edit.
    func edit(_ client: PixelBoopClient, after number: Int, seed: UInt64) async -> [Edit] {
        var generator = SeededGenerator(seed: seed)
        var edits: [Edit] = []
        while edits.count < period / 2, !Task.isCancelled {
            edits.append(Edit(sent: .now))
            guard (try? await makeEdit(number + edits.count, client)) != nil else { break }
            edits[edits.count - 1].answered = .now
            // The pace of a crowd of fingers; without it the clients would starve the daemon.
            try? await Task.sleep(for: .microseconds(Int.random(in: 0...4000, using: &generator)))
        }
        return edits
    }

    /// The number of the last edit that a pattern holds.
    func number(in pattern: Pattern) -> Int {
        if self == .slots { return OctalGray.number(Track.allCases.map { pattern.playing[$0].index }) }
        guard let track else { return Int((pattern.bpm * 100).rounded()) - 2000 }
        let notes = pattern[Slot(track, 0)]
        let gray = (0..<Self.cells).reduce(0) { $0 | (notes[$1][0] == .off ? 0 : 1 << $1) }
        return [1, 2, 4, 8].reduce(gray) { $0 ^ $0 >> $1 }
    }

    /// Cells count in Gray code, in which each number differs from the previous one in one place.
    private func makeEdit(_ number: Int, _ client: PixelBoopClient) async throws {
        if self == .slots {
            let (place, digit) = OctalGray.change(to: number % period)
            return try await client.launchSlot(Track.allCases[place], digit + 1)
        }
        guard let track else {
            try await client.setTempo(Double(number % period + 2000) / 100)
            return
        }
        let number = number % period
        let place = min(number.trailingZeroBitCount, Self.cells - 1)
        let gray = number ^ number >> 1
        try await client.setNote(track, step: place, note: 0, gray >> place & 1 == 1 ? .normal : .off, slot: 1)
    }
}

/// Four octal digits in Gray code: each number differs from the previous one in one digit.
private enum OctalGray {
    private static let digits = 4

    static func number(_ gray: [Int]) -> Int {
        var (number, digit) = (0, 0)
        for place in (0..<digits).reversed() {
            digit = (gray[place] + digit) % 8
            number = number * 8 + digit
        }
        return number
    }

    /// The digit that changes with the step to a number, and its new value.
    static func change(to number: Int) -> (place: Int, digit: Int) {
        let place = min(number == 0 ? digits - 1 : number.trailingZeroBitCount / 3, digits - 1)
        let (digit, next) = (number >> (3 * place) & 7, place + 1 < digits ? number >> (3 * (place + 1)) & 7 : 0)
        return (place, (digit - next + 8) % 8)
    }
}
