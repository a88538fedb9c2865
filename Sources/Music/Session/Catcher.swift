import Engine
import Music

/// Keeps what keys played without being recorded, so that it can be written afterwards.
///
/// While the music runs these are notes with the step that each was meant for, of the pass in progress and of the last whole
/// one. While it stands still they are strokes with their times, of the phrase since the last pause.
final class Catcher {
    /// The most notes or strokes that are kept.
    private static let capacity = 2048
    /// A pause between two phrases in µs.
    private static let pause: UInt64 = 2_000_000
    /// The most steps of the song that lost periods leave out; more are a jump.
    private static let longestGap: Int64 = 16

    private var notes: [RecordedNote] = []
    private var strokes: [StandingKey] = []
    /// The step of the song with which the pass in progress begins, and whether it is played from its beginning.
    private var current: (start: Int64, isWhole: Bool)?
    /// The step with which the last whole pass began, nil if there is none.
    private var lastWhole: Int64?
    private var songStep: Int64 = .min
    private let edited: EditedDocument
    private let outbox: Outbox

    init(_ edited: EditedDocument, _ outbox: Outbox) {
        self.edited = edited
        self.outbox = outbox
    }

    /// Whether there is anything to write.
    var isFilled: Bool {
        strokes.contains { $0.key.patternRevision == edited.patternRevision } || notes.contains(where: isOfLastPass)
    }

    private func isOfLastPass(_ note: RecordedNote) -> Bool {
        note.passStart == lastWhole && note.patternRevision == edited.patternRevision
    }

    // MARK: What is played

    /// A key's note has ended that was not recorded.
    func add(_ note: RecordedNote) {
        if notes.count == Self.capacity { notes.removeFirst() }
        notes.append(note)
        outbox.sceneChanged()
    }

    /// A key went down while the music stood still, or such a key went up.
    func add(_ key: KeyNotice) {
        guard key.isDown else {
            // A driver's times may go back when it is late or another one takes over.
            if let index = strokes.lastIndex(where: { $0.isHeld(by: key) }) {
                strokes[index].end = max(key.usecs, strokes[index].key.usecs)
            }
            return
        }
        if let end = strokes.compactMap(\.end).max(), strokes.allSatisfy({ $0.end != nil }),
            key.usecs >= end + Self.pause
        {
            strokes.removeAll()
        }
        // Later ones are beyond the length.
        guard strokes.count < Self.capacity else { return }
        strokes.append(StandingKey(key: key, end: key.isHeld ? nil : key.usecs))
        outbox.sceneChanged()
    }

    /// The music has reached a step of the song. Told in the order of what is played.
    func follow(_ step: SongStep) {
        let length = edited.document.pattern.length
        let start = Loop(length: length, origin: step.origin).passStart(at: step.number)
        let isContinued = current != nil && (1...Self.longestGap).contains(step.number &- songStep)
        if !isContinued {
            begin(at: step.number, inPassFrom: start)
        } else if let current, start != current.start {
            // A change of length may move the beginning of the pass in progress.
            let isPassed = songStep < start
            lastWhole = isPassed && current.isWhole ? current.start : nil
            self.current = (start, isPassed)
            notes.removeAll { $0.passStart < lastWhole ?? start }
            outbox.sceneChanged()
        }
        songStep = step.number
    }

    /// The music has started or jumped.
    private func begin(at step: Int64, inPassFrom start: Int64) {
        notes.removeAll()
        strokes.removeAll()
        (current, lastWhole) = ((start, step == start), nil)
        outbox.sceneChanged()
    }

    /// The music stands still. The last whole pass can be caught until keys are played.
    func stop() { current = nil }

    // MARK: Catching

    /// Removes what can be written: the phrase that was played while the music stood still, or else the last whole pass.
    ///
    /// - Parameters:
    ///   - bpm: The present tempo.
    ///   - usecs: The driver's time now, until which keys that are still held have sounded.
    /// - Returns: The edits that write it, and how many notes that are.
    func removeCaught(bpm: Double, usecs: UInt64) -> (edits: [DocumentChange], count: Int) {
        defer { outbox.sceneChanged() }
        let phrase = strokes.filter { $0.key.patternRevision == edited.patternRevision }
        let pass = notes.filter(isOfLastPass)
        strokes.removeAll()
        notes.removeAll(where: isOfLastPass)
        return edits(
            of: phrase.isEmpty ? pass : edited.document.pattern.notes(of: phrase, bpm: bpm, until: usecs))
    }

    /// Writes notes one after the other, as they were released. Two slots of a track, after a launch in the middle of the pass, are
    /// two undo steps, as when they are recorded.
    private func edits(of notes: [RecordedNote]) -> (edits: [DocumentChange], count: Int) {
        var pattern = edited.document.pattern
        var count = 0
        var edits: [[Slot: SlotNotes]] = []
        for note in notes {
            guard let (slot, contents) = pattern.slot(with: note) else { continue }
            pattern[slot] = contents
            count += 1
            let index = edits.firstIndex { edit in edit.keys.allSatisfy { $0.track != slot.track || $0 == slot } }
            if let index { edits[index][slot] = contents } else { edits.append([slot: contents]) }
        }
        return (edits.map { .edit($0) }, count)
    }
}

/// A key that went down while the music stood still.
private struct StandingKey {
    var key: KeyNotice
    /// When its note ended in µs; nil while the key is held.
    var end: UInt64?

    func isHeld(by other: KeyNotice) -> Bool { end == nil && key.track == other.track && key.note == other.note }
}

extension Pattern {
    /// The notes of a phrase whose first stroke is on step 0, without those beyond their slots' lengths, in the order of their
    /// ends.
    fileprivate func notes(of phrase: [StandingKey], bpm: Double, until now: UInt64) -> [RecordedNote] {
        let first = phrase.map(\.key.usecs).min() ?? 0
        let ends = phrase.map { $0.end ?? max(now, $0.key.usecs) }
        return zip(phrase, ends).sorted { $0.1 < $1.1 }.compactMap { stroke, end in
            note(of: stroke.key, after: stroke.key.usecs - first, for: end - stroke.key.usecs, sixteenth: 15e6 / bpm)
        }
    }

    /// A note on the nearest step, as long as it was held.
    ///
    /// - Parameters:
    ///   - usecs: After the phrase's beginning.
    ///   - length: How long it was held in µs.
    ///   - sixteenth: The length of a step of the whole in µs.
    private func note(
        of key: KeyNotice, after usecs: UInt64, for length: UInt64, sixteenth: Double
    ) -> RecordedNote? {
        guard let track = Track(rawValue: Int(key.track)) else { return nil }
        let loop = Loop(length: self.length)
        let time = self[Slot(track, Int(key.slot))].time(in: loop)
        let count = SongGrid(swing: swing, loop: loop).nearestCount(of: time, to: Double(usecs) / sixteenth)
        guard (0..<Int64(time.length)).contains(count) else { return nil }
        let steps = Int(min(Double(length) / (sixteenth * time.sixteenths), 64) + 0.5)
        return RecordedNote(
            track: key.track, slot: key.slot, note: key.note, step: UInt8(count),
            sustainCount: UInt8(max(0, min(31, steps - 1))), isAccent: key.isAccent, level: key.level, passStart: 0,
            patternRevision: key.patternRevision)
    }
}
