import Engine
import Foundation
import Media
import Music
import OfflineAudio
import TestSupport
import Testing

/// A MIDI file has the notes that the instrument sends while it plays the same pattern.
@Suite struct MIDIFileOutputTests {
    /// A note's start.
    private struct Start {
        let channel: Int
        let key: Int
        let velocity: Int
        let seconds: Double
    }

    /// The velocities of the file, which the instrument has settings for.
    private static let (normal, accent) = (80.0, 127.0)
    private static let rate = 48_000.0

    /// Notes with all values in all tracks, some of which have lengths and speeds of their own.
    private func pattern(_ random: inout SeededGenerator) -> Pattern {
        var pattern = Pattern()
        pattern.length = .random(in: 8...32, using: &random)
        pattern.bpm = .random(in: 60...300, using: &random)
        pattern.swing = Bool.random(using: &random) ? 0.5 : .random(in: 0.5...0.75, using: &random)
        pattern.parameters.set(.diceSeed, to: .number(Double(Int.random(in: 0...1000, using: &random))))
        for track in Track.allCases {
            for step in 0..<SlotNotes.stepCount where Bool.random(using: &random) {
                for _ in 0..<(track == .melody ? 1 : 2) {
                    pattern[track, step][whole: .random(in: 0..<Track.noteCount, using: &random)] =
                        .random(using: &random)
                }
            }
            if Bool.random(using: &random) { pattern[track].length = .random(in: 1...32, using: &random) }
            if Bool.random(using: &random) { pattern[track].speed = Speed.allCases.randomElement(using: &random)! }
            accentSustained(&pattern[track], length: pattern.length(of: track))
        }
        return pattern
    }

    /// Accents the notes with sustain: those are always sent like accents, but in a file they have their own velocity.
    private func accentSustained(_ notes: inout SlotNotes, length: Int) {
        for step in 0..<length {
            for note in notes[step].heads where notes.sustainCount(after: step, of: note, length: length) > 0 {
                notes[step][whole: note].velocity = .accent
            }
        }
    }

    private func written(_ pattern: Pattern, loops: Int) throws -> [Start] {
        let file = try MIDIReader(MIDIFile.bytes(of: pattern, loops: loops))
        #expect(file.tracks.flatMap(\.notes).allSatisfy { $0.start < $0.end })
        let secondsPerTick = 60 / pattern.bpm / Double(file.ticksPerBeat)
        return file.tracks.flatMap(\.notes).map {
            Start(
                channel: $0.channel, key: $0.key, velocity: $0.velocity, seconds: Double($0.start) * secondsPerTick)
        }
    }

    private func sent(_ pattern: Pattern, loops: Int) throws -> [Start] {
        var score = Score(Document(pattern: pattern))
        for track in Track.allCases {
            score.parameters[.target, track.rawValue] = 1
            score.parameters[.velocityNormal, track.rawValue] = Self.normal
            score.parameters[.velocityAccent, track.rawValue] = Self.accent
        }
        score.end = Int64(loops * pattern.length)
        let driver = try OfflineDriver(engine: Engine(score: score), sampleRate: Self.rate)
        driver.schedule(.command(.play), at: 0)
        var starts: [Start] = []
        let seconds = Double(loops * pattern.length) * 15 / pattern.bpm
        driver.render(frames: Int(seconds * Self.rate)) { period in
            for (frame, event) in period.messages(of: .midiOut) where event.status & 0xf0 == 0x90 {
                starts.append(
                    Start(
                        channel: Int(event.status & 15), key: Int(event.first), velocity: Int(event.second),
                        seconds: Double(frame) / Self.rate))
            }
        }
        return starts
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `any pattern has the same starts in a file as at the output, within a tick`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pattern = pattern(&random)
        let loops = Int.random(in: 1...4, using: &random)
        let written = try written(pattern, loops: loops)
        var sent = try sent(pattern, loops: loops)
        #expect(written.count > 10 && written.count == sent.count)
        let tolerance = 60 / pattern.bpm / Double(MIDIFile.ticksPerBeat) + 1 / Self.rate
        for start in written {
            let index = sent.firstIndex {
                ($0.channel, $0.key, $0.velocity) == (start.channel, start.key, start.velocity)
                    && abs($0.seconds - start.seconds) <= tolerance
            }
            guard let index else { return #expect(Bool(false), "\(start) is not sent") }
            sent.remove(at: index)
        }
        #expect(sent.isEmpty, "not written")
    }
}
