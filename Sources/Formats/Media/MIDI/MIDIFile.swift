import Glibc
import Instrument
import Music

/// Patterns as Standard MIDI Files, format 1: a track with the pattern's name, tempo, time and key signature, then the
/// pattern's four tracks.
///
/// According to "Standard MIDI-File Format Spec. 1.1", MIDI Manufacturers Association.
public enum MIDIFile {
    /// Ticks per quarter note.
    public static let ticksPerBeat = 960
    static let ticksPerStep = ticksPerBeat / 4

    /// Maximum messages in a file, two for each note: in base64 it still fits into an answer of the daemon.
    public static let maximumMessages = 500_000

    /// The bytes of a file that plays the sounding notes of a pattern, or of several of its scenes in sequence.
    ///
    /// A note lasts to the end of its last sustained step, even beyond the end of the last loop. Swing is in the ticks.
    /// Melody, chords and bass are on channels 1 to 3, rhythm on 10, as the drums of General MIDI.
    ///
    /// - Parameters:
    ///   - scenes: The pattern with each scene to play; only steps within the length are played.
    ///   - loops: How many times they are played, within `AudioLimits.loopCounts`.
    ///   - mixer: The values of parameters without motions; by default a new instrument's.
    ///   - isAudible: The tracks whose notes and motions are in the file; the other tracks are empty.
    ///   - muted: Notes of each track that are not in the file.
    /// - Throws: `CancellationError` if the task is cancelled, ``MIDIFileError`` if there can be no such file.
    public static func bytes(
        of scenes: [Pattern], loops: Int = 1,
        mixer: (Parameter, Track) -> Double = { ParameterValues().number($0, $1) },
        isAudible: (Track) -> Bool = { _ in true }, muted: (Track) -> NoteSet = { _ in [] }
    ) throws -> [UInt8] {
        precondition(
            AudioLimits.loopCounts.contains(loops) && !scenes.isEmpty, "\(loops) loops of \(scenes.count) scenes")
        let pattern = scenes[0]
        let played = (0..<loops).flatMap { _ in scenes }
        let clock = StepTicks(grid: SongGrid(swing: pattern.swing, loop: Loop(length: pattern.length)))
        var bytes = header(trackCount: Track.allCases.count + 1)
        let end = clock.start(ofStep: played.count * pattern.length)
        bytes += conductor(of: pattern, end: end)
        var room = maximumMessages
        for track in Track.allCases {
            guard isAudible(track) else {
                bytes += chunk(of: track, [], [], end: end)
                continue
            }
            let notes = try self.notes(of: track, without: muted(track), in: played, clock, &room)
            let motions = try MIDIMotion.events(
                of: track, channel: channel(of: track), in: played, clock, &room
            ) {
                mixer($0, track)
            }
            bytes += chunk(of: track, notes, motions, end: end)
        }
        return bytes
    }

    /// Reserves room for messages in a file.
    static func reserve(_ messages: Int, from room: inout Int) throws(MIDIFileError) {
        room -= messages
        guard room >= 0 else { throw .tooManyMessages }
    }

    static func header(trackCount: Int) -> [UInt8] {
        var bytes = Array("MThd".utf8)
        bytes.append(bigEndian: UInt32(6))
        bytes.append(bigEndian: UInt16(1))
        bytes.append(bigEndian: UInt16(trackCount))
        bytes.append(bigEndian: UInt16(ticksPerBeat))
        return bytes
    }

    private static func conductor(of pattern: Pattern, end: Int) -> [UInt8] {
        var chunk = MIDITrackChunk()
        chunk.append(.trackName, Array(pattern.name.utf8), at: 0)
        let microsecondsPerBeat = UInt32((60e6 / pattern.bpm).rounded())
        chunk.append(.tempo, microsecondsPerBeat.bigEndianBytes.suffix(3), at: 0)
        // Four quarters; a metronome click each quarter, which is 24 MIDI clocks and 8 thirty-seconds.
        chunk.append(.timeSignature, [4, 2, 24, 8], at: 0)
        chunk.append(.keySignature, keySignature(of: pattern.key), at: 0)
        return chunk.bytes(end: end)
    }

    /// Sharps (flats negative) and 1 for minor.
    private static func keySignature(of key: Key) -> [UInt8] {
        let isMinor = key.scale == .minor
        let major = (key.root.number + (isMinor ? 3 : 0)) % 12
        let sharps = (major * 7 + 5) % 12 - 5
        return [UInt8(bitPattern: Int8(sharps)), isMinor ? 1 : 0]
    }

    /// A single pattern with its playing slots.
    public static func bytes(
        of pattern: Pattern, loops: Int = 1, isAudible: (Track) -> Bool = { _ in true }
    ) throws -> [UInt8] {
        try bytes(of: [pattern], loops: loops, isAudible: isAudible)
    }

    private static func notes(
        of track: Track, without muted: NoteSet, in loops: [Pattern], _ clock: StepTicks, _ room: inout Int
    ) throws -> [MIDINote] {
        var notes: [MIDINote] = []
        var first = 0
        while first < loops.count {
            let pattern = loops[first]
            let others = loops[first...].firstIndex { $0.playing[track] != pattern.playing[track] }
            let end = others ?? loops.count
            let steps = first * pattern.length..<end * pattern.length
            notes += try self.notes(
                of: track, without: muted, in: pattern, during: steps, isFollowed: others != nil, clock, &room)
            first = end
        }
        return MIDINote.inTurn(notes)
    }

    /// The notes that a slot starts while it plays.
    ///
    /// - Parameters:
    ///   - steps: The steps of the song during which it plays.
    ///   - isFollowed: Whether another slot follows and ends its notes.
    private static func notes(
        of track: Track, without muted: NoteSet, in pattern: Pattern, during steps: Range<Int>, isFollowed: Bool,
        _ clock: StepTicks, _ room: inout Int
    ) throws -> [MIDINote] {
        let slot = pattern[track]
        let time = slot.time(in: Loop(length: pattern.length))
        let start = SongPlace(songStep: Int64(steps.lowerBound))
        let end = clock.start(ofStep: steps.upperBound)
        var count = time.count(at: start.songStep)
        let firstPass = time.pass(of: count)
        var notes: [MIDINote] = []
        while time.place(of: count).songStep < steps.upperBound {
            try Task.checkCancellation()
            let (step, home) = (time.step(of: count), time.place(of: count))
            let turn = StepTurn(
                track: track.rawValue, count: count, pass: time.pass(of: count), firstPass: firstPass)
            let stepSeconds = clock.beats(from: home, to: time.place(of: count + 1)) * 60 / pattern.bpm
            for number in slot[step].heads.subtracting(muted)
            where slot[step][whole: number].plays(number, at: turn, by: pattern.dice) {
                let note = slot[step][whole: number]
                // A step that was in progress when the slot began plays only what starts later.
                if home.precedes(start) && note[.nudge] <= 0 { continue }
                let length = 1 + slot.sustainCount(after: step, of: number, length: time.length)
                var sounds = note.sounds(at: count, length, in: time, stepSeconds: stepSeconds)
                if home == start { sounds.join(at: start) }
                for sound in sounds
                where !sound.start.precedes(start) && sound.start.songStep < steps.upperBound {
                    try reserve(2, from: &room)
                    // What starts just before the end must not be rounded to it, or it would have no length.
                    let (first, last) = (min(clock.tick(of: sound.start), end - 1), clock.tick(of: sound.end))
                    notes.append(
                        MIDINote(
                            key: track.midiPitch(of: number), note: note,
                            ticks: first..<(isFollowed ? min(last, end) : last)))
                }
            }
            count += 1
        }
        return notes
    }

    private static func channel(of track: Track) -> Int { track == .rhythm ? 9 : track.rawValue }

    private static func chunk(
        of track: Track, _ notes: [MIDINote], _ motions: [MIDIChannelEvent], end: Int
    ) -> [UInt8] {
        var chunk = MIDITrackChunk()
        chunk.append(.trackName, Array(track.name.utf8), at: 0)
        let events = notes.flatMap { $0.events(channel: channel(of: track)) } + motions
        for event in events.sorted(by: MIDIChannelEvent.precedes) {
            chunk.append(event.message, at: event.tick)
        }
        return chunk.bytes(end: max(end, notes.map(\.ticks.upperBound).max() ?? 0))
    }
}

/// Why there can be no file.
public enum MIDIFileError: Error, CustomStringConvertible {
    /// More than ``MIDIFile/maximumMessages``.
    case tooManyMessages

    /// The reason in words.
    public var description: String {
        "the file would have more than \(MIDIFile.maximumMessages) messages, two for each note"
    }
}

/// The ticks at which the song's steps start.
struct StepTicks {
    let grid: SongGrid

    /// Interpolated linearly between steps.
    func tick(of place: SongPlace) -> Int {
        let step = Int(place.songStep)
        let (start, next) = (start(ofStep: step), start(ofStep: step + 1))
        return start + Int((place.part * Double(next - start)).rounded())
    }

    /// The time from one place to another, which depends on swing.
    func beats(from start: SongPlace, to end: SongPlace) -> Double {
        Double(tick(of: end) - tick(of: start)) / Double(MIDIFile.ticksPerBeat)
    }

    func start(ofStep songStep: Int) -> Int {
        let lateness = 2 * grid.swing * Double(MIDIFile.ticksPerStep)
        let delay = grid.isLate(Int64(songStep)) ? Int(lateness.rounded()) - MIDIFile.ticksPerStep : 0
        return songStep * MIDIFile.ticksPerStep + delay
    }
}

/// One of a note's starts, and where it ends.
private struct Sound {
    let start: SongPlace
    let end: SongPlace
}

extension Note {
    /// A note's starts in the song: exact fractions, as those of the sequencer.
    ///
    /// - Parameters:
    ///   - count: The track's step that the note stands on, counted from the song's start.
    ///   - length: The note's length in steps of the track.
    fileprivate func sounds(
        at count: Int64, _ length: Int, in time: TrackTime, stepSeconds: Double
    ) -> [Sound] {
        let starts = startCount(stepSeconds: stepSeconds)
        // In parts of a step, of which each start has a hundred.
        func place(_ part: Int) -> SongPlace {
            time.place(of: count, moved: Int64(self[.nudge] * starts + part), of: Int64(100 * starts))
        }
        return (0..<starts).map { index in
            Sound(
                start: place(100 * index),
                end: place(index + 1 < starts ? 100 * index + 90 : 100 * starts * length))
        }
    }
}

extension [Sound] {
    /// Moves the last start before the place where the music begins to that place, and drops earlier ones.
    fileprivate mutating func join(at start: SongPlace) {
        guard let before = lastIndex(where: { !start.precedes($0.start) }) else { return }
        let end = self[before].end
        self = [Sound(start: start, end: end.precedes(start) ? start : end)] + self[(before + 1)...]
    }
}

/// A message on a track's channel.
struct MIDIChannelEvent {
    let tick: Int
    let isStart: Bool
    let message: [UInt8]

    /// Note-ons come last, so that a repeated note is not cut short, and controllers apply to it.
    static func precedes(_ left: MIDIChannelEvent, _ right: MIDIChannelEvent) -> Bool {
        (left.tick, left.isStart ? 1 : 0, left.message[1]) < (right.tick, right.isStart ? 1 : 0, right.message[1])
    }
}

private struct MIDINote {
    let key: Int
    let note: Note
    var ticks: Range<Int>

    /// Ends each note where the next one of its key starts; of two that start together only the later step's is kept.
    static func inTurn(_ notes: [MIDINote]) -> [MIDINote] {
        Dictionary(grouping: notes, by: \.key).values.flatMap { notes in
            var result: [MIDINote] = []
            for note in notes.enumerated().sorted(by: {
                ($0.element.ticks.lowerBound, $0.offset) < ($1.element.ticks.lowerBound, $1.offset)
            }).map(\.element) {
                if let last = result.last, last.ticks.upperBound > note.ticks.lowerBound {
                    result[result.count - 1].ticks = last.ticks.lowerBound..<note.ticks.lowerBound
                }
                if result.last?.ticks.isEmpty == true { result.removeLast() }
                result.append(note)
            }
            return result
        }
    }

    func events(channel: Int) -> [MIDIChannelEvent] {
        let full = note.isAccent ? 127.0 : 80
        let velocity = UInt8(max(1, (full * pow(10, Double(note[.level]) / 40)).rounded()))
        return [
            .init(tick: ticks.lowerBound, isStart: true, message: [0x90 | UInt8(channel), UInt8(key), velocity]),
            .init(tick: ticks.upperBound, isStart: false, message: [0x80 | UInt8(channel), UInt8(key), 64]),
        ]
    }
}
