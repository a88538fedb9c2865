import Grid
import Music
import PixelBoopClient

/// A movement of a hand on a track.
enum FingerMotion: CaseIterable {
    case tap
    case across
    case upright
    case slanted
    case hold
    case heldAcross
    case heldUpright
    case heldSlanted
    case erase
    case swipeLeft
    case swipeRight
    case scrub

    /// Motions that any number of hands can do at once.
    static let onTracks: [FingerMotion] = [
        .tap, .across, .upright, .slanted, .hold, .heldAcross, .heldUpright, .heldSlanted,
    ]

    /// All gestures that touches can be recognised as.
    static let gestures: Set<String> = [
        "tap", "accent", "slide", "chord", "root+5", "multi", "arpeggio", "walk", "roll", "phrase", "fill", "sustain",
        "erase", "undo", "redo", "clear",
    ]

    /// Where it begins on an empty grid, so that motions do not meet.
    fileprivate var column: Int { Layout.firstStepColumn + FingerMotion.allCases.firstIndex(of: self)! }
}

/// A cell of the grid.
typealias FingerPlace = (column: Int, row: Int)

/// The fingers of one client.
struct Hand {
    let client: PixelBoopClient
    let tally: Tally
    var finger = 1

    /// Performs a motion.
    ///
    /// - Parameter column: Where it begins; nil for a column of its own.
    func perform(_ motion: FingerMotion, on track: Track, column: Int?) async throws {
        let rows = Layout.rows(of: track)
        let column = column ?? motion.column
        switch motion {
        case .tap: try await draw([(column, rows.lowerBound)])
        case .hold: try await draw([(column, rows.lowerBound)], holding: true)
        case .across, .heldAcross:
            let row = rows.upperBound
            try await draw([(column, row), (column + 9, row)], holding: motion == .heldAcross)
        case .upright, .heldUpright:
            let ends: [FingerPlace] = [(column, rows.upperBound), (column, rows.lowerBound)]
            try await draw(ends, holding: motion == .heldUpright)
        case .slanted, .heldSlanted:
            let ends: [FingerPlace] = [(column, rows.upperBound), (column + 3, rows.upperBound - 3)]
            try await draw(ends, holding: motion == .heldSlanted)
        case .erase: try await erase(column, rows.lowerBound + 3)
        case .swipeLeft: try await swipe(from: column + 12, to: column, row: rows.lowerBound)
        case .swipeRight: try await swipe(from: column, to: column + 12, row: rows.lowerBound)
        case .scrub:
            let turns: [FingerPlace] = (0..<7).map { (column + ($0 % 2 == 0 ? 0 : 4), rows.lowerBound) }
            try await draw(turns)
        }
    }

    /// A note, and later two taps on it; the first alone must not empty the step: in C major the row holds two notes.
    private func erase(_ column: Int, _ row: Int) async throws {
        try await draw([(column, row)], holding: true)
        for _ in 0..<2 { try await draw([(column, row)]) }
    }

    private func swipe(from start: Int, to end: Int, row: Int) async throws {
        for _ in 0..<2 { try await draw([(start, row), (end, row)]) }
    }

    /// Puts the finger down, moves it along straight lines, and lifts it.
    func draw(_ corners: [FingerPlace], holding: Bool = false) async throws {
        var place = corners[0]
        try await touch(.down, place)
        // Longer than the 400 ms that make an accent.
        if holding { try await Task.sleep(for: .milliseconds(450)) }
        for corner in corners.dropFirst() {
            while place != corner {
                place.column += (corner.column - place.column).signum()
                place.row += (corner.row - place.row).signum()
                try await touch(.move, place)
            }
        }
        try await touch(.up, place)
    }

    /// Touches, and records the recognised gesture.
    func touch(_ phase: TouchPhase, _ place: FingerPlace) async throws {
        let input = Touch(id: finger, phase, column: place.column, row: place.row)
        if let gesture = try await client.perform(input).gesture { await tally.count(gesture: gesture) }
    }
}
