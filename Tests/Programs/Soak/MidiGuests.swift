import JackTestSupport
import Synchronization

/// JACK clients that come and go with the server: a MIDI clock, and listeners at the MIDI outputs.
final class MidiGuests: Sendable {
    /// Channels on which keys may be down: the tracks' own, and those assigned to them.
    private static let channels: [UInt8] = [0, 1, 2, 3, 9]

    private struct Plugged {
        let musician: OtherMusician
        let notes: JackMidiPeer
        let clock: JackMidiPeer
    }

    private let jackServer: String
    private let plugged = Mutex<Plugged?>(nil)

    /// - Parameter jackServer: The JACK server's name.
    init(jackServer: String) { self.jackServer = jackServer }

    /// Connects them to the server; the clock does not tick yet.
    func plugIn() throws {
        let notes = try JackMidiPeer("soak-notes", ofServerNamed: jackServer)
        try notes.connect("pixelboop:midi_out", to: "soak-notes:in")
        try notes.connect("soak-notes:out", to: "pixelboop:midi_in")
        let clock = try JackMidiPeer("soak-ticks", ofServerNamed: jackServer)
        try clock.connect("pixelboop:clock_out", to: "soak-ticks:in")
        let new = Plugged(musician: try OtherMusician(ofServerNamed: jackServer), notes: notes, clock: clock)
        plugged.withLock { $0 = new }
    }

    /// Disconnects them, which must happen before the server goes.
    func unplug() {
        plugged.withLock { plugged in
            plugged?.musician.close()
            plugged?.notes.close()
            plugged?.clock.close()
            plugged = nil
        }
    }

    /// What arrived at `midi_out` and at `clock_out` since the last call.
    func fetch() -> (notes: [JackMidiPeer.Message], clock: [JackMidiPeer.Message]) {
        plugged.withLock { ($0?.notes.fetch() ?? [], $0?.clock.fetch() ?? []) }
    }

    /// Ticks at a tempo; nil stops ticking.
    func tick(bpm: Double?) { plugged.withLock { $0?.musician.tick(bpm: bpm) } }

    /// Sends Start, Continue or Stop.
    func send(_ message: UInt8) { plugged.withLock { $0?.musician.send(message) } }

    /// Lifts the pedals and releases all keys at `midi_in`.
    func liftAll() async {
        for channel in Self.channels {
            for controller in [64, 123] as [UInt8] {
                guard let notes = plugged.withLock({ $0?.notes }) else { return }
                _ = await notes.send([0xb0 | channel, controller, 0])
            }
        }
    }
}
