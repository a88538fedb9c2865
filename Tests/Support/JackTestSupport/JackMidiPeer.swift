import CJack
import Glibc
import Synchronization
import TestSupport

/// A JACK client with a MIDI input, whose messages it keeps with their frame times, and a MIDI output.
///
/// Close it before the server goes away, like a ``JackRecorder``.
public final class JackMidiPeer: Sendable {
    /// A message and its time.
    public struct Message: Sendable, Equatable {
        /// JACK's frame time.
        public var frame: UInt32
        /// JACK's time for that frame in µs, as every client gets it in the same period.
        public var usecs: UInt64
        /// One to three bytes.
        public var bytes: [UInt8]
    }

    // Used by one test at a time; JACK's thread reaches only `reel`.
    nonisolated(unsafe) private let client: OpaquePointer
    nonisolated(unsafe) private let reel: UnsafeMutablePointer<MidiReel>
    private let isOpen = Atomic<Bool>(true)

    /// Opens a client with a name.
    public convenience init(_ name: String = "peer", of server: JackServer) throws {
        try self.init(name, ofServerNamed: server.name)
    }

    /// Opens a client with a name on a server given by name.
    public init(_ name: String, ofServerNamed serverName: String) throws {
        var status = JackStatus(0)
        guard let client = cjack_client_open(name, serverName, JackNoStartServer, &status) else {
            throw JackRecorder.Failure.cannotOpen
        }
        self.client = client
        reel = .allocate(capacity: 1)
        reel.initialize(
            to: MidiReel(
                client: client,
                input: jack_port_register(
                    client, "in", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsInput.rawValue), 0),
                output: jack_port_register(
                    client, "out", JACK_DEFAULT_MIDI_TYPE, UInt(JackPortIsOutput.rawValue), 0)))
        jack_set_process_callback(client, turnReel, reel)
        jack_activate(client)
    }

    deinit {
        close()
        reel.deinitialize(count: 1)
        reel.deallocate()
    }

    /// Connects ports: the full name of an output, and that of an input.
    public func connect(_ output: String, to input: String) throws {
        let result = jack_connect(client, output, input)
        guard result == 0 || result == EEXIST else { throw JackRecorder.Failure.cannotConnect(output) }
    }

    /// Sends a message of one to three bytes in the middle of the next period.
    ///
    /// - Returns: The frame on which it was sent; nil if that did not happen within 10 s.
    public func send(_ bytes: [UInt8]) async -> UInt32? {
        reel.pointee.load(bytes)
        return await onThread { [self] in
            for _ in 0..<10_000 {
                if let frame = reel.pointee.sentFrame { return frame }
                usleep(1000)
            }
            return nil
        }
    }

    /// Starts the server's transport, stops it, or moves it to a frame.
    public func startTransport() { jack_transport_start(client) }
    public func stopTransport() { jack_transport_stop(client) }
    public func locateTransport(to frame: UInt32) { jack_transport_locate(client, frame) }

    /// The messages received so far, except those already taken.
    public var messages: [Message] { reel.pointee.messages }

    /// Takes the messages received so far, which makes room for more.
    public func fetch() -> [Message] { reel.pointee.fetch() }

    /// Ends the client.
    public func close() {
        if isOpen.exchange(false, ordering: .relaxed) { jack_client_close(client) }
    }
}

private let turnReel: JackProcessCallback = { frameCount, context in
    context?.assumingMemoryBound(to: MidiReel.self).pointee.turn(frameCount)
    return 0
}

/// The messages received at a MIDI port, and the message to send.
private struct MidiReel: ~Copyable {
    private static let capacity = 65_536

    private let client: OpaquePointer
    private let input: OpaquePointer?
    private let output: OpaquePointer?
    /// A ring of the last events.
    private let events: UnsafeMutablePointer<(frame: UInt32, word: UInt32, usecs: UInt64)>
    /// How many events have been received, and how many of them taken.
    private let count = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)
    /// Size and bytes of the message to send; 0 for none.
    private let loaded = Atomic<UInt32>(0)
    /// The frame of the message that was sent, plus 1 << 32; 0 for none.
    private let sent = Atomic<UInt64>(0)

    init(client: OpaquePointer, input: OpaquePointer?, output: OpaquePointer?) {
        self.client = client
        self.input = input
        self.output = output
        events = .allocate(capacity: Self.capacity)
        events.initialize(repeating: (0, 0, 0), count: Self.capacity)
    }

    deinit { events.deallocate() }

    private static func word(_ bytes: some Sequence<UInt8>, count: Int) -> UInt32 {
        bytes.enumerated().reduce(UInt32(count) << 24) { $0 | UInt32($1.element) << (8 * UInt32($1.offset)) }
    }

    private static func bytes(of word: UInt32) -> [UInt8] {
        (0..<(word >> 24)).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }

    func load(_ bytes: [UInt8]) {
        sent.store(0, ordering: .relaxed)
        loaded.store(Self.word(bytes, count: bytes.count), ordering: .releasing)
    }

    var sentFrame: UInt32? {
        let value = sent.load(ordering: .acquiring)
        return value == 0 ? nil : UInt32(truncatingIfNeeded: value)
    }

    var messages: [JackMidiPeer.Message] {
        (taken.load(ordering: .relaxed)..<count.load(ordering: .acquiring)).map {
            let event = events[$0 % Self.capacity]
            return JackMidiPeer.Message(frame: event.frame, usecs: event.usecs, bytes: Self.bytes(of: event.word))
        }
    }

    func fetch() -> [JackMidiPeer.Message] {
        let messages = messages
        taken.add(messages.count, ordering: .releasing)
        return messages
    }

    /// One period, on JACK's thread.
    func turn(_ frameCount: jack_nframes_t) {
        let start = jack_last_frame_time(client)
        if let input, let buffer = jack_port_get_buffer(input, frameCount) { hear(buffer, start) }
        guard let output, let buffer = jack_port_get_buffer(output, frameCount) else { return }
        jack_midi_clear_buffer(buffer)
        let word = loaded.exchange(0, ordering: .acquiring)
        guard word != 0 else { return }
        let offset = frameCount / 2
        var bytes = word
        withUnsafeBytes(of: &bytes) {
            _ = jack_midi_event_write(
                buffer, offset, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int(word >> 24))
        }
        sent.store(UInt64(start &+ offset) | 1 << 32, ordering: .releasing)
    }

    private func hear(_ buffer: UnsafeMutableRawPointer, _ start: UInt32) {
        var event = jack_midi_event_t()
        for index in 0..<jack_midi_get_event_count(buffer) {
            let place = count.load(ordering: .relaxed)
            guard place - taken.load(ordering: .acquiring) < Self.capacity,
                jack_midi_event_get(&event, buffer, index) == 0
            else { return }
            let size = min(event.size, 3)
            let frame = start &+ event.time
            events[place % Self.capacity] = (
                frame, Self.word(UnsafeBufferPointer(start: event.buffer, count: size), count: size),
                jack_frames_to_time(client, frame)
            )
            count.store(place + 1, ordering: .releasing)
        }
    }
}
