import Engine
import Music

/// What the audio driver is doing.
public struct AudioStatus: Equatable, Sendable {
    /// What the audio driver is doing.
    public var state: DriverState
    /// Why there is no sound, in words; empty while running.
    public var reason: String
    /// Frames per second, nil while there is no sound.
    public var sampleRate: Int?
    /// Frames per period, nil while there is no sound.
    public var period: Int?
    /// Whether only a restart of the program brings sound back.
    public var needsRestart: Bool
    /// The full names of the ports that ours, by their short names, are connected to; those that are connected to nothing are
    /// left out.
    public var connections: [String: Set<String>]
    /// Whether anything is connected to the MIDI input.
    public var hasMidiInput: Bool { connections[EnginePort.midiIn.name] != nil }

    /// Whether somebody who gets our notes may send them back: a client that the MIDI output and input are both connected to.
    public var isMidiCircular: Bool {
        func clients(of port: EnginePort) -> Set<Substring> {
            Set((connections[port.name] ?? []).compactMap { $0.split(separator: ":").first })
        }
        return !clients(of: .midiOut).isDisjoint(with: clients(of: .midiIn))
    }

    /// No driver.
    public init(
        state: DriverState = .off, reason: String = "", sampleRate: Int? = nil, period: Int? = nil,
        needsRestart: Bool = false, connections: [String: Set<String>] = [:]
    ) {
        self.state = state
        self.reason = reason
        self.sampleRate = sampleRate
        self.period = period
        self.needsRestart = needsRestart
        self.connections = connections
    }
}

/// How an audio driver's clock relates to the session's.
public struct AudioTiming: Equatable, Sendable {
    /// What is added to the driver's time to get the session's.
    public var offset: Duration
    /// From a frame's time to when it is heard.
    public var latency: Duration

    /// A driver on the session's own clock, heard at once.
    public init(offset: Duration = .zero, latency: Duration = .zero) {
        self.offset = offset
        self.latency = latency
    }
}

/// The engine, and the driver that calls it.
final class AudioLink {
    let engine: Engine
    let driver: AudioDriver
    let listening = Listening()
    private(set) var status = AudioStatus()

    init(_ engine: Engine, _ driver: AudioDriver) {
        self.engine = engine
        self.driver = driver
    }

    var isRunning: Bool { status.state == .running }

    /// The frame from which what is published or sent now can be heard, nil without audio.
    var nextFrame: Int64? { isRunning ? engine.nextFrame : nil }

    /// Sends a command, however the driver fares; false when the engine's ring has no room.
    func send(_ command: RtCommand, at now: Duration) -> Bool { engine.send(command, at: now.wholeMicroseconds) }

    func set(_ status: AudioStatus, _ timing: AudioTiming) {
        self.status = status
        listening.timing = timing
    }
}

extension Session {
    /// Sets what became of the audio driver. One that is lost pauses the transport; when it is back, it plays on.
    ///
    /// - Parameter timing: How the driver's clock relates to the session's.
    public func audioChanged(to status: AudioStatus, timing: AudioTiming = AudioTiming(), at now: Duration) {
        let (before, isTimed) = (audio, timing != link.listening.timing)
        link.set(status, timing)
        if status.isMidiCircular != before.isMidiCircular { publishScore() }
        if isTimed { syncView.timingChanged(at: now) }
        if before.state == .running, status.state != .running {
            transportView.suspend(at: now)
            syncView.settle(at: now)
        }
        if before.state != .running, status.state == .running { transportView.resume(at: now) }
        if status.hasMidiInput { link.listening.expectNotices(from: now) }
        if launching.settle(at: now) { documentChanged(at: now) }
        outbox.stateChanged()
    }

    /// Sets how the clock of a driver that runs relates to the session's by now: the two drift apart.
    public func driverClockRead(offset: Duration, at now: Duration) {
        guard link.isRunning, offset != link.listening.timing.offset else { return }
        link.listening.timing.offset = offset
        syncView.timingChanged(at: now)
    }

    /// Lets all sound fade out, for the end of the program.
    public func silence() {
        // Obeyed however late.
        if link.isRunning { _ = link.send(.silence, at: .zero) }
    }
}

extension Duration {
    /// Whole microseconds, as commands to the engine carry them.
    var wholeMicroseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds)) * 1_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000_000)
    }
}
