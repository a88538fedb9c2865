import Music
import PixelBoopClient
import TestSupport
import Wire

/// The traffic at the MIDI ports.
extension Traffic {
    private static let (start, goOn, stop) = (UInt8(0xfa), UInt8(0xfb), UInt8(0xfc))

    /// Sends a MIDI clock and follows one, in turn, until cancelled.
    static func keepTime(at path: String, _ midi: MidiGuests, _ listener: Listener, seed: UInt64) async throws {
        let client = try await PixelBoopClient.connect(to: path)
        var random = SeededGenerator(seed: seed)
        while !Task.isCancelled {
            try await client.setSync([
                .syncSource: .choice(SyncSource.automatic), .syncLead: .selection([SyncLead.midi.name]),
            ])
            try await Task.sleep(for: .seconds(Int.random(in: 5...30, using: &random)))
            // The automatic choice follows no MIDI clock while one is sent.
            let isNamed = Bool.random(using: &random)
            try await client.setSync([
                .syncSource: .choice(isNamed ? SyncSource.midi : .automatic),
                .syncLead: .selection(isNamed ? [SyncLead.midi.name] : []),
            ])
            try await sendClock(to: midi, listener, using: &random)
        }
    }

    /// A MIDI clock that is started and stopped, changes its tempo, and is unplugged and plugged in again.
    private static func sendClock(
        to midi: MidiGuests, _ listener: Listener, using random: inout SeededGenerator
    ) async throws {
        var bpm = Double.random(in: 80...180, using: &random)
        listener.noteJump()
        midi.tick(bpm: bpm)
        midi.send(start)
        for _ in 0..<Int.random(in: 3...8, using: &random) {
            try await Task.sleep(for: .seconds(Double.random(in: 1...6, using: &random)))
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                listener.noteHalt()
                midi.send(stop)
                try await Task.sleep(for: .milliseconds(Int.random(in: 100...2000, using: &random)))
                listener.noteJump()
                midi.send(Bool.random(using: &random) ? start : goOn)
            case 2:
                breakOff(midi, listener)
                try await Task.sleep(for: .milliseconds(Int.random(in: 100...2000, using: &random)))
                listener.noteJump()
                midi.tick(bpm: bpm)
            default:
                // A change by more than a sixth is a jump: earlier ticks then predict nothing.
                bpm = min(240, max(60, bpm * .random(in: 0.86...1.16, using: &random)))
                midi.tick(bpm: bpm)
            }
        }
        if Bool.random(using: &random) {
            listener.noteHalt()
            midi.send(stop)
        }
        breakOff(midi, listener)
    }

    /// Ends the clock's ticks. A step beyond the first missing tick waits for it, and is late by up to three ticks.
    private static func breakOff(_ midi: MidiGuests, _ listener: Listener) {
        listener.noteHalt()
        midi.tick(bpm: nil)
    }

    /// Sends the tracks' notes out and stops them, after which all keys that were down must go up, until cancelled.
    static func stopNotes(at path: String, _ midi: MidiGuests, _ listener: Listener, seed: UInt64) async throws {
        let client = try await PixelBoopClient.connect(to: path)
        var random = SeededGenerator(seed: seed)
        for track in Track.allCases { try await client.set(track, [.target: .choice(NoteTarget.both)]) }
        while !Task.isCancelled {
            try await Task.sleep(for: .seconds(Int.random(in: 2...7, using: &random)))
            if Bool.random(using: &random) {
                let track = Track.allCases.randomElement(using: &random)!
                let target = [NoteTarget.both, .both, .midi, .voices].randomElement(using: &random)!
                // The drums keep theirs: on another channel their keys could be those of other tracks.
                let channel = track.isPitched ? Int.random(in: 1...4, using: &random) : track.defaultChannel
                try await client.set(track, [.target: .choice(target), .channel: .number(Double(channel))])
            } else {
                try await stopMusic(client, midi, listener)
                listener.noteStop()
                // Somebody may have pressed a pedal at the same moment.
                try await Task.sleep(for: .seconds(1))
                try await stopMusic(client, midi, listener)
            }
        }
    }

    private static func stopMusic(
        _ client: PixelBoopClient, _ midi: MidiGuests, _ listener: Listener
    ) async throws {
        await midi.liftAll()
        listener.noteHalt()
        do {
            try await client.stop()
        } catch ClientError.refused {
            // There is no JACK server at the moment.
        }
    }
}
