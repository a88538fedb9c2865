import Grid
import Music

/// The notes of a pattern as they are shown: visible steps only, without headless sustain cells, with the strengths of
/// the others worked out.
struct ShownNotes: Sendable {
    /// Steps of the whole.
    let length: Int
    /// Steps of each track that are visible.
    private let lengths: [Int]
    private let source: [SlotNotes]
    private let steps: [StepNotes]
    /// The notes of the steps that are not off, in the order of ``steps``.
    private let sets: [NoteSet]
    /// The strengths of sustain cells, note by note in the order of ``steps``; 100 % for all other cells.
    private var fades: [Alpha]
    /// The heads of sustain cells, note by note in the order of ``steps``; off for all other cells.
    private var heads: [Note]

    init(of pattern: Pattern) {
        length = pattern.length
        let lengths = Track.allCases.map(pattern.length(of:))
        self.lengths = lengths
        source = pattern.played
        steps = Track.allCases.flatMap { track in
            let sounding = pattern.sounding(track)
            return (0..<SlotNotes.stepCount).map { $0 < lengths[track.rawValue] ? sounding[$0] : StepNotes() }
        }
        sets = steps.map(\.notes)
        fades = Array(repeating: .percent(100), count: steps.count * Track.noteCount)
        heads = Array(repeating: Note(), count: fades.count)
        for track in Track.allCases {
            for head in 0..<lengths[track.rawValue] {
                for note in self[track, head].heads { fade(track, note, from: head) }
            }
        }
    }

    /// Steps of a track that are visible.
    func length(of track: Track) -> Int { lengths[track.rawValue] }

    /// How fast the steps of a track follow each other.
    func speed(of track: Track) -> Speed { source[track.rawValue].speed }

    /// A motion's value on a visible step, and whether it is a point; nil when the parameter does not move.
    func value(of parameter: Parameter, on track: Track, at step: Int) -> (number: Double, isPoint: Bool)? {
        let motions = source[track.rawValue].motions
        let value = motions.value(parameter, at: Double(step), length: length(of: track))
        return value.map { ($0, motions[parameter, step] != nil) }
    }

    /// Whether these are the notes of a pattern.
    func match(_ pattern: Pattern) -> Bool {
        length == pattern.length && source == pattern.played
    }

    /// Whether these are the same notes as others.
    func match(_ other: ShownNotes) -> Bool { length == other.length && source == other.source }

    /// Whether a step looks the same as with other notes.
    func match(_ other: ShownNotes, at step: Int) -> Bool {
        Track.allCases.allSatisfy { track in
            looks(of: track) == other.looks(of: track) && self[track, step] == other[track, step]
                && notes(of: track, at: step).allSatisfy {
                    fade(of: track, $0, at: step) == other.fade(of: track, $0, at: step)
                        && head(of: track, $0, at: step) == other.head(of: track, $0, at: step)
                }
        }
    }

    /// The parts of a track, besides its notes, that lenses show.
    private func looks(of track: Track) -> NoteLooks {
        NoteLooks(length: length(of: track), speed: speed(of: track), motions: source[track.rawValue].motions)
    }

    private struct NoteLooks: Equatable {
        var length: Int
        var speed: Speed
        var motions: Motions
    }

    /// The cells of a track on a step, 0 to 31; none where it is not visible.
    subscript(track: Track, step: Int) -> StepNotes { steps[track.rawValue * SlotNotes.stepCount + step] }

    /// The notes of a track that are not off on a step.
    func notes(of track: Track, at step: Int) -> NoteSet { sets[track.rawValue * SlotNotes.stepCount + step] }

    /// The strength of a sustain cell on a step.
    func fade(of track: Track, _ note: Int, at step: Int) -> Alpha {
        fades[cellIndex(track, note, at: step)]
    }

    /// The note that starts in a cell of a step, or that it prolongs.
    func head(of track: Track, _ note: Int, at step: Int) -> Note {
        let cell = self[track, step][whole: note]
        return cell.isSustain ? heads[cellIndex(track, note, at: step)] : cell
    }

    /// Links the sustain cells after a head to it, and sets their opacity: from 0.8 on the first in equal steps to 0.25
    /// on the last.
    private mutating func fade(_ track: Track, _ note: Int, from head: Int) {
        var count = 0
        func stepAfter(_ step: Int) -> Int { step + 1 == length(of: track) ? 0 : step + 1 }
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

    private func cellIndex(_ track: Track, _ note: Int, at step: Int) -> Int {
        (track.rawValue * SlotNotes.stepCount + step) * Track.noteCount + note
    }
}
