import Control
import Engine
import Instrument
import JackAudio
import Logging
import Music
import ServiceLifecycle
import Session
import SystemSupport
import Systemd

/// Keeps the JACK driver running and reports its state to the session.
struct JackService: Service {
    let jack: JackSupervisor
    let control: ControlCore
    let connections: ConnectionsFile
    let figures: ProcessFigures
    let manager: ServiceManager?
    let logger: Logger

    /// How often the session gets the offset of JACK's clock from its own, because the two drift apart.
    private static let clockInterval = Duration.seconds(10)
    /// How long the end waits for the connections to be stored.
    private static let lastStore = Duration.milliseconds(200)

    func run() async throws {
        let (made, continuation) = AsyncStream.makeStream(
            of: JackConnections.self, bufferingPolicy: .bufferingNewest(1))
        async let published: Void = publishEvents(continuation)
        // The last edits are written after this service has ended, which must not wait for a disk that hangs.
        let stored = Latch()
        let storing = Task {
            await store(made)
            stored.open()
        }
        async let _ = followClock()
        try await control.run {
            try await jack.run()
        } stop: {
            await jack.stop()
        }
        await published
        // There is one attempt to store what is left.
        storing.cancel()
        Task {
            try? await Task.sleep(for: Self.lastStore)
            stored.open()
        }
        await stored.wait()
    }

    private func publishEvents(_ made: AsyncStream<JackConnections>.Continuation) async {
        var text = ""
        let xruns = XrunLog("xruns", logger: logger)
        for await event in jack.events {
            switch event {
            case .status(let status): publish(status, after: &text)
            case .connections(let connections): made.yield(connections)
            case .xruns(let total):
                figures.note(xruns: total)
                await xruns.grew(to: total)
            case .warning(let text): logger.warning("\(text)")
            }
        }
        made.finish()
    }

    /// Stores the connections whenever they change. A slow disk does not delay other events.
    private func store(_ made: AsyncStream<JackConnections>) async {
        await connections.keep(made) { logger.error("the JACK connections cannot be stored: \($0)") }
    }

    private func followClock() async {
        while (try? await Task.sleep(for: Self.clockInterval)) != nil {
            control.notify { session, now in
                // Asking JACK's library for the time before it has found a server crashes it.
                if session.audio.status == .running { session.driverClockRead(offset: JackClock.offset, at: now) }
            }
        }
    }

    private func publish(_ status: JackStatus, after last: inout String) {
        let audio = AudioState(
            status: status.state, reason: status.reasonAndRemedy, rate: status.session?.sampleRate,
            period: status.session?.period)
        control.notify { session, now in
            session.audioChanged(
                to: audio, connections: status.session?.connections ?? [:], needsRestart: status.needsRestart,
                timing: AudioTiming(status.session), at: now)
        }
        // The daemon itself reports its end.
        if status.state == .off { return }
        let text = status.text
        // Connections change too often to log each change.
        guard text != last else { return }
        last = text
        logger.log(level: status.logLevel, "\(text)")
        manager?.notify(.status(text))
    }
}

extension JackStatus {
    /// Why there is no sound, and what to do if no server was found.
    fileprivate var reasonAndRemedy: String {
        state == .noServer ? "\(reason); pixelboopd --driver internal plays without JACK" : reason
    }

    fileprivate var logLevel: Logger.Level {
        if needsRestart { return .critical }
        return session == nil ? .notice : .info
    }

    fileprivate var text: String {
        guard let session else { return "no sound: \(reasonAndRemedy)" }
        let milliseconds = Double(session.playbackLatency * 10_000 / session.sampleRate) / 10
        return """
            JACK client \(session.clientName): \(session.sampleRate) Hz, \(session.period) frames a period, \
            \(milliseconds) ms to the speakers, \(schedulingText(session.realtimePriority))
            """
    }
}

extension AudioTiming {
    /// The session's clock is the system's monotonic one.
    init(_ session: JackSession?) {
        self.init()
        guard let session else { return }
        offset = JackClock.offset
        latency = .seconds(Double(session.playbackLatency) / Double(session.sampleRate))
    }
}
