import Instrument
import Logging
import Music
import PixelBoopClient
import Wire

/// Connects an Ableton Link session with the daemon: it gives the daemon the session's timeline, and applies players'
/// requests to the session.
///
/// A peer that joins a session adopts its tempo and beats: that is Link's rule. While there is no other peer, and the
/// daemon does not follow, the session adopts those of the daemon.
public actor LinkBridge {
    /// How to join the session.
    public struct Settings: Equatable, Sendable {
        /// Players join on a multiple of this many beats, and are in phase by it.
        public var quantum = 4.0
        /// Whether starts and stops are shared with the session.
        public var sharesStarts = true

        /// In phase by four beats, starts and stops shared.
        public init() {}
    }

    /// How often the timeline is sent, and the clocks are compared, as they drift.
    private static let interval = Duration.seconds(1)

    private let session: LinkSession
    private let settings: Settings
    private let logger: Logger
    /// The daemon, nil while there is none.
    private var client: PixelBoopClient?
    /// JACK's time minus Link's in µs; nil until it is known.
    private var offset: Int?
    /// The daemon's state.
    private var state: InstrumentState?
    private var isEnabled = false
    private var isSending = false
    private var hasNews = false
    /// The session as last logged.
    private var loggedSession = ""
    /// The last logged message, which is not repeated each second.
    private var lastWords = ""

    /// A bridge that joins no session until the daemon is there.
    public init(_ session: LinkSession, _ settings: Settings, logger: Logger) {
        self.session = session
        self.settings = settings
        self.logger = logger
        session.shareStarts(settings.sharesStarts)
    }

    /// Serves one daemon after another, until cancelled.
    public func run(socketPath: String) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [session] in
                for await _ in session.changes { await self.sendTimeline() }
            }
            group.addTask {
                while !Task.isCancelled {
                    await self.compareClocks()
                    try? await Task.sleep(for: Self.interval)
                }
            }
            group.addTask {
                await PixelBoopClient.stayConnected(to: socketPath) {
                    try await self.serve($0)
                } failed: { error, wait in
                    await self.say(wait == nil ? "lost the daemon: \(error)" : "no daemon: \(error)")
                }
            }
        }
        session.disable()
    }

    // MARK: The daemon

    private func serve(_ client: PixelBoopClient) async throws {
        defer {
            self.client = nil
            state = nil
        }
        try await client.hello(client: "Ableton Link", touch: nil)
        let events = try await client.subscribe(to: [.state, .sync])
        state = try await client.state().state
        self.client = client
        await compareClocks()
        for try await event in events { await handle(event) }
    }

    private func handle(_ event: ClientEvent) async {
        let now = session.now
        switch event {
        case .state(let snapshot):
            state = snapshot.state
            sayWhetherFollowed()
            return
        case .sync(.tempo(let bpm)): session.setTempo(bpm, at: now)
        case .sync(.play): if settings.sharesStarts { session.setPlaying(true, at: now) }
        case .sync(.stop): if settings.sharesStarts { session.setPlaying(false, at: now) }
        case .frame, .step, .tooltip, .haptic, .launch, .midi, .scope, .punch, .library, .labels, .take, .audio, .bye:
            return
        }
        await sendTimeline()
    }

    /// Measures the offset between JACK's clock and Link's, and sends the timeline.
    private func compareClocks() async {
        guard let client else { return }
        do {
            let times = try await client.clockTimes()
            offset = times.jack - times.monotonicRaw
            let playing = try await client.playingMoment()
            adopt(playing)
        } catch ClientError.refused(let error) {
            return say("\(error)")
        } catch {
            // The connection is gone; its reader reports that.
            return
        }
        if !isEnabled {
            isEnabled = true
            session.enable()
        }
        await sendTimeline()
    }

    /// Lets the session adopt the daemon's tempo and beats, unless there are other peers or the daemon follows it.
    private func adopt(_ playing: TimelineState) {
        guard let offset, state?.sync.following != .timeline else { return }
        let now = session.now
        let moment = session.moment(at: now, quantum: settings.quantum)
        guard moment.peers == 0 || !isEnabled else { return }
        if moment.bpm != playing.bpm { session.setTempo(playing.bpm, at: now) }
        session.requestBeat(playing.beat, at: playing.usecs - offset, quantum: settings.quantum)
        if settings.sharesStarts && moment.isPlaying != playing.playing { session.setPlaying(playing.playing, at: now) }
    }

    /// Sends the daemon the session's timeline, and sends it again if it changed meanwhile.
    private func sendTimeline() async {
        hasNews = true
        guard !isSending else { return }
        isSending = true
        defer { isSending = false }
        while hasNews, isEnabled, let client, let offset {
            hasNews = false
            do {
                try await sendTimeline(to: client, offset: offset)
            } catch ClientError.refused(let error) {
                say("\(error)")
            } catch {
                // The connection is gone; its reader reports that.
            }
        }
    }

    private func sendTimeline(to client: PixelBoopClient, offset: Int) async throws {
        let moment = session.moment(at: session.now, quantum: settings.quantum)
        try await client.holdTimeline(
            beat: moment.beat, usecs: moment.usecs + offset, bpm: moment.bpm,
            isPlaying: settings.sharesStarts ? moment.isPlaying : nil,
            playingUsecs: max(0, moment.playingUsecs + offset), quantum: settings.quantum, peers: moment.peers)
        let session =
            "\(moment.peers) \(moment.peers == 1 ? "peer" : "peers"), \((moment.bpm * 100).rounded() / 100) BPM"
        if session != loggedSession { logger.info("\(session)") }
        loggedSession = session
    }

    // MARK: The log

    private func sayWhetherFollowed() {
        guard let state, let source = state.settings[.syncSource].name.flatMap(SyncSource.init(name:)) else { return }
        if state.sync.following == .timeline { return say("the session is followed") }
        if source == .automatic || source == .timeline { return }
        say("the session is not followed, as sync is \(source.name): pixelboop sync auto follows it")
    }

    private func say(_ words: String) {
        guard words != lastWords else { return }
        lastWords = words
        logger.notice("\(words)")
    }
}
