import CJack
import Glibc
import JackTestSupport
import Synchronization

/// Another program on the JACK server, with a time of its own: it may be the timebase master, moves the transport, and sends
/// a MIDI clock.
final class OtherMusician: Sendable {
    // Used by one task at a time; JACK's threads reach only `time`.
    private nonisolated(unsafe) let client: OpaquePointer
    private nonisolated(unsafe) let time: UnsafeMutablePointer<MusicianTime>

    /// Opens a client, its clock connected to the daemon.
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

    /// Leaves; the memory that JACK's threads may still see is left to the end of the program.
    func close() { jack_client_close(client) }

    /// Becomes timebase master at a tempo, or with nil leaves it to others.
    func lead(bpm: Double?) {
        guard let bpm else {
            jack_release_timebase(client)
            return
        }
        time.pointee.masterBpm.store(bpm.bitPattern, ordering: .relaxed)
        jack_set_timebase_callback(client, 0, onMusicianTimebase, time)
    }

    /// Ticks at a tempo, or with nil no longer.
    func tick(bpm: Double?) { time.pointee.clockBpm.store((bpm ?? 0).bitPattern, ordering: .relaxed) }

    /// Sends Start, Continue or Stop before the next tick.
    func send(_ message: UInt8) { time.pointee.message.store(message, ordering: .relaxed) }

    func roll() { jack_transport_start(client) }

    func stop() { jack_transport_stop(client) }

    func locate(_ frame: UInt32) { jack_transport_locate(client, frame) }

    /// Whether JACK's transport rolls.
    var isRolling: Bool { jack_transport_query(client, nil) == JackTransportRolling }
}

/// The tempos that the musician plays at, as JACK's threads see them.
private struct MusicianTime: ~Copyable {
    let rate: Double
    let port: OpaquePointer?
    let masterBpm = Atomic<UInt64>(Double(120).bitPattern)
    let clockBpm = Atomic<UInt64>(0)
    /// A message to be sent; 0 for none.
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
        let bpm = Double(bitPattern: clockBpm.load(ordering: .relaxed))
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

private let onMusicianTimebase: JackTimebaseCallback = { _, _, position, _, context in
    guard let position, let time = context?.assumingMemoryBound(to: MusicianTime.self) else { return }
    let bpm = Double(bitPattern: time.pointee.masterBpm.load(ordering: .relaxed))
    let beats = Double(cjack_frame(position)) / time.pointee.rate * bpm / 60
    var told = cjack_transport_t()
    (told.bar, told.beat) = (Int32(beats / 4) + 1, Int32(Int(beats) % 4) + 1)
    told.tick = (beats - beats.rounded(.down)) * 1920
    (told.beats_per_bar, told.beat_type, told.ticks_per_beat, told.bpm) = (4, 4, 1920, bpm)
    cjack_write_bar(position, &told)
}
