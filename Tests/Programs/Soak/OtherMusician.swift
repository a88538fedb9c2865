import CJack
import Glibc
import JackTestSupport
import Synchronization

/// Another program on the JACK server, with its own time: it sends a MIDI clock.
final class OtherMusician: Sendable {
    // Used by one task at a time; JACK's thread reaches only `time`.
    private nonisolated(unsafe) let client: OpaquePointer
    private nonisolated(unsafe) let time: UnsafeMutablePointer<MusicianTime>

    /// Opens a client, with its clock connected to the daemon.
    ///
    /// - Parameter server: The JACK server's name.
    init(ofServerNamed server: String) throws {
        var status = JackStatus(0)
        guard let client = cjack_client_open("other", server, JackNoStartServer, &status) else {
            throw JackRecorder.Failure.cannotOpen
        }
        self.client = client
        time = .allocate(capacity: 1)
        time.initialize(
            to: MusicianTime(
                rate: Double(jack_get_sample_rate(client)),
                port: jack_port_register(client, "clock", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsOutput.rawValue), 0)))
        jack_set_process_callback(client, onMusicianPeriod, time)
        jack_activate(client)
        let result = jack_connect(client, "other:clock", "pixelboop:midi_in")
        guard result == 0 || result == EEXIST else { throw JackRecorder.Failure.cannotConnect("other:clock") }
    }

    /// Leaves; memory that JACK's thread may still use is kept until the program ends.
    func close() { jack_client_close(client) }

    /// Ticks at a tempo; nil stops ticking.
    func tick(bpm: Double?) { time.pointee.bpm.store((bpm ?? 0).bitPattern, ordering: .relaxed) }

    /// Sends Start, Continue or Stop before the next tick.
    func send(_ message: UInt8) { time.pointee.message.store(message, ordering: .relaxed) }
}

/// The clock that the musician sends, as JACK's thread sees it.
private struct MusicianTime: ~Copyable {
    let rate: Double
    let port: OpaquePointer?
    /// The bits of a number; 0 for no ticks.
    let bpm = Atomic<UInt64>(0)
    /// A message to send; 0 for none.
    let message = Atomic<UInt8>(0)
    /// Frames to the next tick, as the bits of a number.
    let wait = Atomic<UInt64>(0)

    init(rate: Double, port: OpaquePointer?) {
        self.rate = rate
        self.port = port
    }

    func send(_ frameCount: jack_nframes_t) {
        guard let port, let buffer = jack_port_get_buffer(port, frameCount) else { return }
        jack_midi_clear_buffer(buffer)
        var message = message.exchange(0, ordering: .relaxed)
        if message != 0 { jack_midi_event_write(buffer, 0, &message, 1) }
        let bpm = Double(bitPattern: self.bpm.load(ordering: .relaxed))
        guard bpm > 0 else { return }
        var next = Double(bitPattern: wait.load(ordering: .relaxed))
        var tick: UInt8 = 0xf8
        while next < Double(frameCount) {
            jack_midi_event_write(buffer, jack_nframes_t(next), &tick, 1)
            next += rate * 2.5 / bpm
        }
        wait.store((next - Double(frameCount)).bitPattern, ordering: .relaxed)
    }
}

private let onMusicianPeriod: JackProcessCallback = { frameCount, context in
    context?.assumingMemoryBound(to: MusicianTime.self).pointee.send(frameCount)
    return 0
}
