import Music
import PixelBoopClient
import TestSupport

/// A client whose edits can be counted in what the daemon has kept: each takes its part of the session to a state that it
/// did not have before, and that tells the edit's number.
enum Editor: CaseIterable, Hashable {
    case melody, chords, bass, rhythm, tempo

    /// An edit that a client asked for.
    struct Edit {
        /// When it was asked for.
        var sent: ContinuousClock.Instant
        /// When the daemon's answer was there; nil when it never came.
        var answered: ContinuousClock.Instant?
    }

    private static let cells = 12

    /// Numbers begin anew from here.
    var period: Int { self == .tempo ? 28_000 : 1 << Self.cells }

    private var track: Track? {
        switch self {
        case .melody: .melody
        case .chords: .chords
        case .bass: .bass
        case .rhythm: .rhythm
        case .tempo: nil
        }
    }

    /// Makes one edit after the other, a few milliseconds apart, until the connection ends.
    ///
    /// - Parameter number: The number of the last edit that was made before.
    func edit(_ client: PixelBoopClient, after number: Int, seed: UInt64) async -> [Edit] {
        var generator = SeededGenerator(seed: seed)
        var edits: [Edit] = []
        while edits.count < period / 2, !Task.isCancelled {
            edits.append(Edit(sent: .now))
            guard (try? await makeEdit(number + edits.count, client)) != nil else { break }
            edits[edits.count - 1].answered = .now
            // The pace of a crowd of fingers; without it the clients would take the machine from the daemon.
            try? await Task.sleep(for: .microseconds(Int.random(in: 0...4000, using: &generator)))
        }
        return edits
    }

    /// The number of the last edit that a pattern holds.
    func number(in pattern: Pattern) -> Int {
        guard let track else { return Int((pattern.tempo.bpm * 100).rounded()) - 2000 }
        let gray = (0..<Self.cells).reduce(0) { $0 | (pattern.cells[track, 0, $1] == .off ? 0 : 1 << $1) }
        return [1, 2, 4, 8].reduce(gray) { $0 ^ $0 >> $1 }
    }

    /// Cells count in Gray's code, in which each number differs from the one before in one place.
    private func makeEdit(_ number: Int, _ client: PixelBoopClient) async throws {
        guard let track else {
            try await client.setTempo(Double(number % period + 2000) / 100)
            return
        }
        let number = number % period
        let place = min(number.trailingZeroBitCount, Self.cells - 1)
        let gray = number ^ number >> 1
        try await client.setNote(track, step: place, note: 0, gray >> place & 1 == 1 ? .normal : .off)
    }
}
