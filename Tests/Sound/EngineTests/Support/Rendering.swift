import Engine
import Foundation
import Instrument
import Music
import OfflineAudio

extension Score {
    /// An empty score.
    init(bpm: Double, swing: Double = 0.5, length: Int = 32) {
        self.init()
        parameters[.tempo] = bpm
        parameters[.swing] = swing
        parameters[.length] = Double(length)
    }

    /// Sets a track's mix: a linear gain, and factors for left and right.
    mutating func mix(_ track: Track, gain: Double = 1, left: Double = 1, right: Double = 1) {
        parameters[.gain, track.rawValue] = 20 * log10(gain)
        parameters[.pan, track.rawValue] = atan2(right, left) * 4 / .pi - 1
    }

    /// A score with some cells set.
    static func with(
        _ cells: [TestNote], bpm: Double = 120, swing: Double = 0.5, length: Int = 32
    ) -> Score {
        var score = Score(bpm: bpm, swing: swing, length: length)
        for cell in cells { score.set(cell) }
        return score
    }

    /// The notes that each track plays.
    var notes: PerTrack<PerStep<StepNotes>> {
        get { InlineArray { self[playing: $0].notes } }
        set { for track in 0..<4 { self[playing: track].notes = newValue[track] } }
    }

    /// Sets the notes of a slot of every track.
    mutating func setNotes(_ notes: PerTrack<PerStep<StepNotes>>, slot: Int) {
        for track in Track.allCases { self[Slot(track, slot)].notes = notes[track.rawValue] }
    }

    /// Nothing moves.
    mutating func clearMotions() {
        for slot in Slot.all { self[slot].motions = TrackMotions() }
    }

    /// Writes a cell.
    mutating func set(_ cell: TestNote) {
        notes[cell.track.rawValue][cell.step][whole: cell.note] = Note(cell.velocity, cell.values)
    }
}

/// One cell of a score.
struct TestNote {
    var track: Track
    var note: Int
    var step: Int
    var velocity = Velocity.accent
    var values: [NoteValue: Int] = [:]

    /// A note with sustain cells after it.
    static func sustained(_ track: Track, _ note: Int, step: Int = 0, count: Int) -> [TestNote] {
        [TestNote(track: track, note: note, step: step)]
            + (0..<count).map { TestNote(track: track, note: note, step: step + 1 + $0, velocity: .sustain) }
    }
}

extension OfflineDriver {
    /// A driver of a new engine.
    convenience init(_ score: Score, sampleRate: Double = 48_000) {
        self.init(Engine(score: score), sampleRate: sampleRate)
    }

    /// A driver of an engine; all rates in tests are supported.
    convenience init(_ engine: Engine, sampleRate: Double = 48_000) {
        do {
            try self.init(engine: engine, sampleRate: sampleRate)
        } catch {
            fatalError("\(error)")
        }
    }

    /// Sends a command now.
    func send(_ command: RtCommand) -> Bool {
        engine.send(command, at: UInt64(Double(frame) * 1e6 / sampleRate))
    }

    /// A driver of a new engine that plays from frame 0 on.
    static func playing(_ score: Score, sampleRate: Double = 48_000) -> OfflineDriver {
        let driver = OfflineDriver(score, sampleRate: sampleRate)
        driver.schedule(.command(.play), at: 0)
        return driver
    }

    /// Renders for a time in seconds and keeps it.
    func record(seconds: Double, periods: [Int] = [1024]) -> OfflineRecording {
        record(frames: Int(seconds * sampleRate), periods: periods)
    }

    /// The unread notices.
    func fetchNotices() -> [RtNotice] {
        var notices: [RtNotice] = []
        while let notice = engine.nextNotice() { notices.append(notice) }
        return notices
    }
}

extension Engine {
    /// Publishes the timeline that a client holds; nil when none does.
    ///
    /// - Parameter orderCount: Counts the holder's starts and stops.
    func follow(_ timeline: Timeline?, orderCount: Int = 0) {
        var news = TimelineNews()
        (news.timeline, news.orderCount) = (timeline, orderCount)
        follow(news)
    }
}
