import CJack
import Glibc
import Synchronization
import TestSupport

/// A JACK client that records other clients' ports with their frame times.
///
/// Close it before the server goes away: libjack frees a process's dead clients, whoever holds them, when it opens
/// another (jackaudio/jack2 issue 627).
public final class JackRecorder: Sendable {
    /// Why nothing can be recorded.
    public enum Failure: Error {
        case cannotOpen
        case cannotConnect(String)
        case refused
    }

    // Used by one test at a time; JACK's thread reaches only `tape`.
    nonisolated(unsafe) private let client: OpaquePointer
    nonisolated(unsafe) private let tape: UnsafeMutablePointer<Tape>
    private let isOpen = Atomic<Bool>(true)

    /// Opens a client and starts recording from other clients' ports.
    ///
    /// - Parameters:
    ///   - ports: Full names of output ports; one input port is made and connected for each.
    ///   - server: The server of the ports.
    ///   - seconds: How much to keep; anything later is dropped.
    public convenience init(_ ports: [String], of server: JackServer, seconds: Double = 20) throws {
        try self.init(inputs: ports.count, of: server, seconds: seconds)
        for (index, port) in ports.enumerated() {
            // The other client may already have connected the port, which it knew from before.
            let result = jack_connect(client, port, inputName(index))
            guard result == 0 || result == EEXIST, waitForConnection(index) else { throw Failure.cannotConnect(port) }
        }
    }

    /// Waits until the server has a connection in its running graph; false when nothing is recorded for 10 s. The graph
    /// changes when a cycle ends on time, which on a busy machine, at 16 frames a period, can take long.
    private func waitForConnection(_ index: Int) -> Bool {
        waitOnThisThread { jack_port_connected($0.pointee.ports[index]) > 0 }
    }

    /// Opens a client and starts recording from input ports that others connect.
    public init(inputs: Int, of server: JackServer, seconds: Double = 20) throws {
        var status = JackStatus(0)
        guard let client = cjack_client_open("recorder", server.name, JackNoStartServer, &status) else {
            throw Failure.cannotOpen
        }
        self.client = client
        tape = .allocate(capacity: 1)
        tape.initialize(
            to: Tape(client: client, channels: inputs, frames: Int(Double(jack_get_sample_rate(client)) * seconds))
        )
        jack_set_process_callback(client, recordPeriod, tape)
        jack_on_info_shutdown(client, loseServer, tape)
        for index in 0..<inputs {
            tape.pointee.ports[index] = jack_port_register(
                client, "in_\(index + 1)", JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue), 0)
        }
        jack_activate(client)
    }

    deinit {
        close()
        // A client that was left to libjack may still access it.
        guard tape.pointee.hasServer.load(ordering: .relaxed) else { return }
        tape.deinitialize(count: 1)
        tape.deallocate()
    }

    /// The full name of an input port.
    public func inputName(_ index: Int) -> String {
        "\(String(cString: jack_get_client_name(client))):in_\(index + 1)"
    }

    /// Waits until this many more frames have been recorded; false if none is for 10 s.
    @discardableResult
    public func record(frames: Int) async -> Bool {
        let target = min(tape.pointee.recorded.load(ordering: .acquiring) + frames, tape.pointee.capacity)
        return await wait { $0.pointee.recorded.load(ordering: .acquiring) >= target }
    }

    /// Waits until the last period of a port was louder than a threshold; false if nothing more is recorded for 10 s,
    /// because the server has stopped or there is no room left.
    public func hear(channel: Int, above threshold: Float = 0.001) async -> Bool {
        await wait { Float(bitPattern: $0.pointee.peaks[channel].load(ordering: .relaxed)) > threshold }
    }

    private func wait(for isDone: @escaping @Sendable (UnsafeMutablePointer<Tape>) -> Bool) async -> Bool {
        await onThread { [self] in waitOnThisThread(for: isDone) }
    }

    private func waitOnThisThread(for isDone: (UnsafeMutablePointer<Tape>) -> Bool) -> Bool {
        // Anything recorded restarts the timeout: on a busy machine a long recording takes longer.
        var (recorded, deadline) = (-1, ContinuousClock.now)
        while !isDone(tape) {
            let frames = tape.pointee.recorded.load(ordering: .acquiring)
            if frames > recorded {
                (recorded, deadline) = (frames, .now + .seconds(10))
            } else if ContinuousClock.now >= deadline {
                return false
            }
            // This takes a time on a clock that may be set meanwhile, so it only determines when to look again.
            var next = timespec()
            clock_gettime(CLOCK_REALTIME, &next)
            next.tv_sec += 1
            sem_timedwait(tape.pointee.periodRecorded, &next)
        }
        return true
    }

    /// Makes the server run as fast as its clients can, or lets it return to its clock.
    public func setFreewheel(_ isOn: Bool) throws {
        guard jack_set_freewheel(client, isOn ? 1 : 0) == 0 else { throw Failure.refused }
    }

    /// What was recorded so far.
    public var recording: JackRecording {
        tape.pointee.recording(sampleRate: Int(jack_get_sample_rate(client)))
    }

    /// Stops recording and frees the client; if the server is gone, that is left to libjack.
    public func close() {
        if isOpen.exchange(false, ordering: .relaxed), tape.pointee.hasServer.load(ordering: .relaxed) {
            jack_client_close(client)
        }
    }
}

private let recordPeriod: JackProcessCallback = { frameCount, context in
    context?.assumingMemoryBound(to: Tape.self).pointee.append(Int(frameCount))
    return 0
}

private let loseServer: JackInfoShutdownCallback = { _, _, context in
    context?.assumingMemoryBound(to: Tape.self).pointee.hasServer.store(false, ordering: .relaxed)
}
