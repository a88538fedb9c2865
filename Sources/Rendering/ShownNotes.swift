import Grid
import Music

/// The notes of a pattern as they are shown: visible steps only, without headless sustain cells, with the strengths of
/// the others worked out.
struct ShownNotes: Sendable {
    /// Steps that are visible.
    let length: Int
    private let source: [SlotNotes]
    private let steps: [StepNotes]
    /// The notes of the steps that are not off, in the order of ``steps``.
    private let sets: [NoteSet]
    /// The strengths of sustain cells, note by note in the order of ``steps``; whole for all other cells.
    private var fades: [Alpha]
    /// The heads of sustain cells, note by note in the order of ``steps``; off for all other cells.
    private var heads: [Note]

    init(of pattern: Pattern) {
        let length = pattern.length
        self.length = length
        source = pattern.played
        steps = Track.allCases.flatMap { track in
            let sounding = pattern.sounding(track)
            return (0..<length).map { sounding[$0] }
        }
        sets = steps.map(\.notes)
        fades = Array(repeating: .percent(100), count: steps.count * Track.noteCount)
        heads = Array(repeating: Note(), count: fades.count)
        for track in Track.allCases {
            for head in 0..<length {
                for note in self[track, head].heads { fade(track, note, from: head) }
            }
        }
    }

    /// Whether these are the notes of a pattern.
    func match(_ pattern: Pattern) -> Bool {
        length == pattern.length && source == pattern.played
    }

    /// Whether these are the same notes as others.
    func match(_ other: ShownNotes) -> Bool { length == other.length && source == other.source }

    /// Whether a visible step looks as with other notes of the same length.
    func match(_ other: ShownNotes, at step: Int) -> Bool {
        Track.allCases.allSatisfy { track in
            self[track, step] == other[track, step]
                && notes(of: track, at: step).allSatisfy {
                    fade(of: track, $0, at: step) == other.fade(of: track, $0, at: step)
                        && head(of: track, $0, at: step) == other.head(of: track, $0, at: step)
                }
        }
    }

    /// The cells of a track on a visible step.
    subscript(track: Track, step: Int) -> StepNotes { steps[track.rawValue * length + step] }

    /// The notes of a track that are not off on a visible step.
    func notes(of track: Track, at step: Int) -> NoteSet { sets[track.rawValue * length + step] }

    /// The strength of a sustain cell on a visible step.
    func fade(of track: Track, _ note: Int, at step: Int) -> Alpha {
        fades[cellIndex(track, note, at: step)]
    }

    /// The note that starts in a cell of a visible step, or that it prolongs.
    func head(of track: Track, _ note: Int, at step: Int) -> Note {
        let cell = self[track, step][whole: note]
        return cell.isSustain ? heads[cellIndex(track, note, at: step)] : cell
    }

    /// Lets the sustain cells after a head know it, and fade: 0.8 on the first, falling in equal parts to 0.25 on the last.
    private mutating func fade(_ track: Track, _ note: Int, from head: Int) {
        var count = 0
        var step = stepAfter(head)
        while self[track, step][note] == .sustain {
            count += 1
            step = stepAfter(step)
        }
        let parts = max(1, count - 1)
        step = head
        for place in 0..<count {
            step = stepAfter(step)
            heads[cellIndex(track, note, at: step)] = self[track, head][whole: note]
            fades[cellIndex(track, note, at: step)] = Alpha(80 * parts - 55 * place, of: 100 * parts)
        }
    }

    private func stepAfter(_ step: Int) -> Int { step + 1 == length ? 0 : step + 1 }

    private func cellIndex(_ track: Track, _ note: Int, at step: Int) -> Int {
        (track.rawValue * length + step) * Track.noteCount + note
    }
}
