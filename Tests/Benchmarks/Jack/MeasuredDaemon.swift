import DaemonTestSupport
import Music
import PixelBoopClient
import TestSupport

/// A `pixelboopd` on a JACK server, with a place of its own for all that it keeps.
final class MeasuredDaemon {
    /// The daemon.
    let process: ChildProgram
    private let folder: DaemonFolder

    /// Starts a daemon that plays a load; returns when it does, and nobody is connected any more.
    init(on server: String, playing load: JackLoad) async throws {
        folder = try DaemonFolder()
        process = try folder.start(on: server)
        try await process.wait(for: "listening on")
        let client = try await PixelBoopClient.connect(to: folder.socket)
        try await client.waitForState { $0.audio.status == .running }
        try await client.setPattern(load.pattern)
        if load != .idle { try await client.play() }
        client.close()
    }
}

/// What sounds all the time.
enum JackLoad: String, CaseIterable {
    /// Nothing; the transport is stopped.
    case idle = "0 voices"
    /// A chord of six notes on chords and on bass.
    case twelve = "12 voices"
    /// All that one pattern can hold: three overlapping notes of the melody, every chord and bass note, every drum.
    case full = "39 voices"

    /// Oscillators that sound at once; the drums have 16.
    var oscillators: Int {
        switch self {
        case .idle: 0
        case .twelve: 12
        case .full: 3 + 12 + 12 + 16
        }
    }

    /// The pattern that makes it so.
    var pattern: Pattern {
        var pattern = Pattern()
        // At 300 beats per minute a step lasts 50 ms and a melody note 150: three overlap.
        pattern.tempo = Tempo(clamping: 300)
        for step in 0..<SlotNotes.stepCount {
            let velocity = step == 0 ? Velocity.accent : .sustain
            switch self {
            case .idle: break
            case .twelve:
                pattern[.chords, step] = StepNotes(NoteSet(0..<6), velocity)
                pattern[.bass, step] = StepNotes(NoteSet(0..<6), velocity)
            case .full:
                pattern[.melody, step] = StepNotes([step % 4], .accent)
                pattern[.chords, step] = StepNotes(.all, velocity)
                pattern[.bass, step] = StepNotes(.all, velocity)
                pattern[.rhythm, step] = StepNotes(.all, .accent)
            }
        }
        return pattern
    }
}
