import Engine
import Music
import Rendering

// The clock in the engine decides whether it runs and where it is. What a command asks for is shown at once, until the
// clock has told what came of it; where JACK's transport is asked, nothing is shown before the clock tells. Commands reach
// the engine only while a driver runs: for the rest the session remembers, and tells the engine when a driver is back.

extension Session {
    func start(at now: Duration) {
        guard audio.state == .running else { return }
        // Also while we play: a stop that we have not been told of yet may be on its way.
        askHolder(to: .play)
        if !isTransportShared { transport.state = .playing }
        send(.play, at: now)
    }

    func stop(at now: Duration) {
        if !isTransportShared { transport = TransportStatus(state: .stopped, step: 0) }
        resumesWithAudio = false
        askHolder(to: .stop)
        send(.stop, at: now)
    }

    func pause(at now: Duration) {
        resumesWithAudio = false
        guard transport.state == .playing else { return }
        if !isTransportShared { transport.state = .paused }
        askHolder(to: .stop)
        send(.pause, at: now)
    }

    /// Offers our starts and stops to the holder of the timeline, if they are shared.
    private func askHolder(to request: TimelineRequest) {
        if document.isOn(.syncStartStop) { ask(request) }
    }

    func locate(_ step: Int, at now: Duration) {
        if !isTransportShared { transport.step = step }
        send(.locate(step: Int32(step)), at: now)
    }

    func send(_ command: RtCommand, at now: Duration) {
        if audio.state == .running {
            owesTransport = owesTransport || !engine.send(command, at: now.wholeMicroseconds)
            listening.expectNotices(from: now)
        }
        showTransport()
    }

    /// Tells the engine the whole transport anew: after a driver came back, or when its ring had no room.
    func settleTransport(at now: Duration) {
        let command = RtCommand.restore(RtTransport(transport.state), step: Int32(transport.step))
        let isArmed = engine.send(.record(isRecording), at: now.wholeMicroseconds)
        owesTransport = !isArmed || !engine.send(command, at: now.wholeMicroseconds)
    }

    /// Draws the transport as it is now; the clock's notices tell when a step is first heard.
    func showTransport() {
        scene.isPlaying = transport.state == .playing
        switch transport.state {
        case .stopped:
            scene.playhead = nil
            scene.pulse = nil
        case .playing where scene.playhead == nil: break
        case .playing, .paused:
            if scene.playhead?.step != transport.step {
                scene.playhead = Playhead(step: transport.step, startedAt: nil)
            }
        }
        stateChanged()
    }

    /// Lets all sound fade out, for the end of the program.
    public func silence() {
        // Obeyed however late.
        if audio.state == .running { _ = engine.send(.silence, at: 0) }
    }

    // MARK: The audio driver

    /// Tells what became of the audio driver. One that is lost pauses the transport; when it is back, it plays on.
    ///
    /// - Parameter timing: How the driver's clock relates to the session's.
    public func audioChanged(to status: AudioStatus, timing: AudioTiming = AudioTiming(), at now: Duration) {
        let wasRunning = audio.state == .running
        audio = status
        let isTimed = timing != listening.timing
        listening.timing = timing
        if isTimed, timelineHeld != nil { publishTimeline(at: now) }
        if wasRunning, status.state != .running {
            suspend(at: now)
            settleSync(at: now)
        }
        if !wasRunning, status.state == .running { resume(at: now) }
        if status.hasMidiInput { listening.expectNotices(from: now) }
        settleLaunches(at: now)
        stateChanged()
    }

    private func suspend(at now: Duration) {
        owesTransport = false
        listening.forgetNotices()
        guard transport.state == .playing else { return }
        // Waits in the ring, so that the engine does not play on before it is told what to do.
        _ = engine.send(.suspend, at: now.wholeMicroseconds)
        transport.state = .paused
        resumesWithAudio = true
        showTransport()
    }

    private func resume(at now: Duration) {
        if resumesWithAudio {
            resumesWithAudio = false
            transport.state = .playing
        }
        settleTransport(at: now)
        listening.expectNotices(from: now)
        showTransport()
    }
}

extension RtTransport {
    init(_ state: TransportStatus.State) {
        switch state {
        case .stopped: self = .stopped
        case .playing: self = .playing
        case .paused: self = .paused
        }
    }
}

extension Duration {
    /// Whole microseconds, as commands to the engine carry them.
    var wholeMicroseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds)) * 1_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000_000)
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
