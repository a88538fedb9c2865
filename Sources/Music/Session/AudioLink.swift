import Engine
import Instrument
import Music

/// The full names of the ports that ours are connected to, by our ports' short names; unconnected ports are left out.
public typealias PortConnections = [String: Set<String>]

extension PortConnections {
    /// Whether anything is connected to the MIDI input.
    var haveMidiInput: Bool { self[EnginePort.midiIn.name] != nil }

    fileprivate var midiInputs: Set<String> { self[EnginePort.midiIn.name] ?? [] }

    /// Whether our notes may come back: some client is connected to both the MIDI output and the MIDI input.
    package var areMidiCircular: Bool {
        func clients(of port: EnginePort) -> Set<Substring> {
            Set((self[port.name] ?? []).compactMap { $0.split(separator: ":").first })
        }
        return !clients(of: .midiOut).isDisjoint(with: clients(of: .midiIn))
    }
}

/// How an audio driver's clock relates to the session's.
public struct AudioTiming: Equatable, Sendable {
    /// The session's time minus the driver's.
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
    let poller = NoticePoller()
    private let listener: (any PublicationListener)?
    private(set) var state: AudioState
    private(set) var connections: PortConnections = [:]
    /// Whether only a restart of the program brings sound back.
    private(set) var needsRestart = false

    init(_ engine: Engine, _ driver: AudioDriver, _ listener: (any PublicationListener)?) {
        self.engine = engine
        self.listener = listener
        state = AudioState(driver: driver, status: .off)
    }

    var isRunning: Bool { state.status == .running }

    /// Whether there is no JACK, and so no JACK transport.
    var isAlone: Bool { state.driver == .own }

    /// The first frame in which a change made now can be heard, nil without audio.
    var nextFrame: Int64? { isRunning ? engine.nextFrame : nil }

    // MARK: What is published

    /// Publishes a score.
    ///
    /// - Parameters:
    ///   - source: What it was made of.
    ///   - name: The pattern's.
    func publish(_ score: Score, of source: ScoreSource, named name: String) {
        let number = engine.publish(score)
        listener?.published(source, named: name, number: number)
    }

    /// Publishes the timeline that a client holds, or that none does.
    func follow(_ news: TimelineNews) {
        let number = engine.follow(news)
        listener?.published(news, number: number)
    }

    /// Publishes a kit of samples; nil for none.
    func publish(_ kit: SampleKit?) {
        let number = engine.publish(kit)
        listener?.published(kit?.fingerprint, number: number)
    }

    /// The engine has been polled.
    func polled() { listener?.polled() }

    // MARK: Commands

    /// Sends a command, with or without a driver; false when the engine's ring has no room.
    func send(_ command: RtCommand, at now: Duration) -> Bool { engine.send(command, at: now.wholeMicroseconds) }

    /// Sends a key; false when the engine's ring has no room.
    func send(_ key: RtKey, at now: Duration) -> Bool { engine.send(key, at: now.wholeMicroseconds) }

    func set(_ state: AudioState, _ connections: PortConnections, needsRestart: Bool, _ timing: AudioTiming) {
        let driver = self.state.driver
        (self.state, self.connections, self.needsRestart) = (state, connections, needsRestart)
        self.state.driver = driver
        poller.timing = timing
    }

    // MARK: Sync settings that the driver supports

    /// The source to follow. Without JACK the setting `jack` stays, but means our own clock.
    func source(wantedBy document: Document) -> SyncSource {
        isAlone && document.syncSource == .jack ? .own : document.syncSource
    }

    /// Where to publish our tempo and position; without JACK, not to its transport.
    func leads(wantedBy document: Document) -> [SyncLead] {
        SyncLead.allCases.filter { document.leads($0) && !(isAlone && $0 == .jack) }
    }

    /// Whether something outside may move the clock.
    func mayBeMoved(by document: Document) -> Bool {
        isRunning && (source(wantedBy: document) != .own || !leads(wantedBy: document).isEmpty)
    }
}

extension Session {
    /// Sets the audio driver's state. Losing the driver pauses the transport, which continues when the driver is back.
    ///
    /// - Parameters:
    ///   - needsRestart: Whether only a restart of the program brings sound back.
    ///   - timing: How the driver's clock relates to the session's.
    public func audioChanged(
        to state: AudioState, connections: PortConnections = [:], needsRestart: Bool = false,
        timing: AudioTiming = AudioTiming(), at now: Duration
    ) {
        let (wasRunning, wasCircular) = (link.isRunning, link.connections.areMidiCircular)
        let isTimed = timing != link.poller.timing
        let isUnplugged = !link.connections.midiInputs.isSubset(of: connections.midiInputs)
        link.set(state, connections, needsRestart: needsRestart, timing)
        if connections.areMidiCircular != wasCircular { publishScore() }
        if isTimed { timeline.timingChanged(at: now) }
        if wasRunning, !link.isRunning {
            transportView.suspend(at: now)
            heldKeys.releaseAll(at: now)
            heldPunchIns.endAll()
            syncView.settle(at: now)
        }
        if !wasRunning, link.isRunning { transportView.resume(at: now) }
        // A keyboard that is gone does not end its notes any more; without a driver it may leave unnoticed.
        if wasRunning, isUnplugged || !link.isRunning {
            _ = link.send(.releaseKeys, at: now)
            midi.keyboardsLeft()
        }
        if connections.haveMidiInput { link.poller.expectNotices(from: now) }
        if launching.settle(at: now) { documentChanged(at: now) }
        outbox.stateChanged()
    }

    /// Updates the offset of a running driver's clock from the session's: the two drift apart.
    public func driverClockRead(offset: Duration, at now: Duration) {
        guard link.isRunning, offset != link.poller.timing.offset else { return }
        link.poller.timing.offset = offset
        timeline.timingChanged(at: now)
    }

    /// Fades all sound out at the end of the program.
    public func silence() {
        // Carried out however late.
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
