import Instrument
import Music

/// Decides when to open and close JACK clients, and what to report.
///
/// A state machine without side effects: events go in, actions come out. Times are since any fixed moment.
struct SupervisorMachine {
    private enum Phase {
        /// Nothing has been asked for yet.
        case idle
        /// Nothing is open except what a lost server left; try again at the deadline.
        case waiting
        /// A client is being opened; overdue at the deadline.
        case opening
        /// Opening a client takes longer than usual; look for another server at the deadline.
        case hanging
        /// The client is open, but JACK has not yet called for audio or made the connections; hung at the deadline.
        case starting
        /// JACK calls for audio; hung at the deadline.
        case running
        /// The client is open, but JACK has stopped calling for audio; look for another server at the deadline.
        case stalled
        /// The client plays its last frames, until the deadline at the latest.
        case fading
        /// The client is being closed; abandon it at the deadline.
        case closing
        /// Everything is closed or abandoned.
        case finished
    }

    enum Event: Equatable {
        /// The driver is wanted.
        case start
        /// The driver is no longer wanted.
        case stop
        /// A client was opened and started.
        case opened(JackSession)
        /// No client could be opened, for a reason in words.
        case openFailed(String)
        /// The client is closed and freed.
        case closed
        /// A call that does not return was abandoned, and there is a new thread for others.
        case abandoned
        /// The process callback has run since the last check, and can be heard; with its real-time priority.
        case progress(realtimePriority: Int?)
        /// The last frames were rendered.
        case faded
        /// The server is gone or has thrown the client out, for a reason in words.
        case serverLeft(String)
        /// The server's rate and period are now these.
        case changed(sampleRate: Int, period: Int)
        /// Samples are heard this many frames after their time.
        case latencyChanged(frames: Int)
        /// Our ports are now connected to these.
        case connected(JackConnections)
        /// A server answered on a separate connection, and has our ports or not.
        case answered(knowsUs: Bool)
        /// Time has passed.
        case tick
    }

    enum Action: Equatable {
        /// Open and start a client.
        case open
        /// Close the client, dead or alive.
        case close
        /// Wait for the last frames to be rendered.
        case fade
        /// Check on a separate connection whether a server answers.
        case probe
        /// Abandon the call that does not return, with its thread.
        case abandon
    }

    /// Time limits when stopping; see ``JackPatience`` for all other waits.
    enum Limit {
        /// How long the last frames may take.
        static let fade = Duration.milliseconds(250)
        /// How long closing may take when stopping, before the client is abandoned.
        static let farewell = Duration.milliseconds(300)
    }

    private var phase = Phase.idle
    private let patience: JackPatience
    private var retry: Duration
    private var session: JackSession?
    /// A client exists, though its server may be gone.
    private var hasClient = false
    private var isWanted = false
    private var hadServer = false
    private var stalledSince = Duration.zero
    /// A call was abandoned, and JACK's library has not been seen to work since.
    private var isStuck = false
    /// Whether JACK's library allows a second client while the first one's server hangs.
    private let probes: Bool

    /// A machine that does nothing until ``Event/start``.
    ///
    /// - Parameter probes: Whether to look for other servers while one hangs.
    init(probes: Bool = false, patience: JackPatience = JackPatience()) {
        self.probes = probes
        self.patience = patience
        retry = patience.firstRetry
    }

    /// What the driver is doing.
    private(set) var status = JackStatus.silent(.off, "the JACK driver has not been started")

    /// When ``Event/tick`` is due; nil without a timeout.
    private(set) var deadline: Duration?

    /// Whether everything is closed, or abandoned, for good.
    var isFinished: Bool { phase == .finished }

    /// How often to check whether the process callback has run; nil when the deadline is soon enough.
    var pollInterval: Duration? {
        switch phase {
        case .starting, .fading: .milliseconds(5)
        case .stalled: .milliseconds(100)
        case .idle, .waiting, .opening, .hanging, .running, .closing, .finished: nil
        }
    }

    /// Whether there is a client whose server has not left.
    var isJoined: Bool {
        switch phase {
        case .starting, .running, .stalled: true
        case .idle, .waiting, .opening, .hanging, .fading, .closing, .finished: false
        }
    }

    /// Updates the state with an event, and returns what to do.
    mutating func handle(_ event: Event, at now: Duration) -> Action? {
        switch event {
        case .start: start(now)
        case .stop: stop(now)
        case .opened(let session): opened(session, now)
        case .openFailed(let reason): openFailed(reason, now)
        case .closed: closed(now)
        case .abandoned: abandoned(now)
        case .progress(let priority): progress(priority, now)
        case .faded: phase == .fading ? close(now) : nil
        case .serverLeft(let reason): serverLeft(reason, now)
        case .changed(let sampleRate, let period): changed(sampleRate, period, now)
        case .latencyChanged(let frames): latencyChanged(frames)
        case .connected(let connections): connected(connections)
        case .answered(let knowsUs): answered(knowsUs, now)
        case .tick: tick(now)
        }
    }
}

// MARK: Start and stop

extension SupervisorMachine {
    private mutating func start(_ now: Duration) -> Action? {
        guard phase == .idle else { return nil }
        isWanted = true
        return open(now)
    }

    private mutating func stop(_ now: Duration) -> Action? {
        isWanted = false
        switch phase {
        case .idle:
            return finish()
        case .waiting:
            return hasClient ? close(now) : finish()
        case .starting, .stalled:
            return close(now)
        case .running:
            phase = .fading
            deadline = now + fadeLimit
            return .fade
        case .opening, .hanging, .closing:
            deadline = now + Limit.farewell
            return nil
        case .fading, .finished:
            return nil
        }
    }

    /// Two periods until the fade begins and one for it, if the server does not hang.
    private var fadeLimit: Duration {
        let periods = session.map { Duration.seconds(3 * Double($0.period) / Double($0.sampleRate)) } ?? .zero
        return min(Limit.fade, periods + .milliseconds(50))
    }

    private mutating func finish() -> Action? {
        phase = .finished
        deadline = nil
        status = .silent(.off, "the JACK driver was stopped")
        return nil
    }
}

// MARK: Opening and closing

extension SupervisorMachine {
    private mutating func open(_ now: Duration) -> Action? {
        phase = .opening
        deadline = now + patience.call
        return .open
    }

    private mutating func opened(_ session: JackSession, _ now: Duration) -> Action? {
        guard phase == .opening || phase == .hanging else { return nil }
        hasClient = true
        isStuck = false
        self.session = session
        retry = patience.firstRetry
        guard isWanted else { return close(now) }
        phase = .starting
        deadline = now + patience.stall
        return nil
    }

    private mutating func openFailed(_ reason: String, _ now: Duration) -> Action? {
        guard phase == .opening || phase == .hanging else { return nil }
        guard isWanted else { return finish() }
        isStuck = false
        status = .silent(silentState, reason)
        if phase == .hanging { retry = patience.firstRetry }
        phase = .waiting
        deadline = now + retry
        retry = min(retry * 2, patience.longestRetry)
        return nil
    }

    private mutating func close(_ now: Duration) -> Action? {
        phase = .closing
        deadline = now + (isWanted ? patience.call : Limit.farewell)
        return .close
    }

    private mutating func closed(_ now: Duration) -> Action? {
        guard phase == .closing else { return nil }
        hasClient = false
        session = nil
        return isWanted ? open(now) : finish()
    }

    /// The call continues without us. It may still hold locks of the library.
    private mutating func abandoned(_ now: Duration) -> Action? {
        guard phase == .closing || phase == .hanging else { return nil }
        hasClient = false
        session = nil
        isStuck = true
        return isWanted ? open(now) : finish()
    }

    private var silentState: DriverState { hadServer ? .lost : .noServer }
}

// MARK: Events of the server

extension SupervisorMachine {
    private mutating func progress(_ realtimePriority: Int?, _ now: Duration) -> Action? {
        switch phase {
        case .starting, .stalled:
            phase = .running
            hadServer = true
            session?.realtimePriority = realtimePriority
            status = JackStatus(state: .running, reason: "", session: session)
        case .running:
            break
        case .idle, .waiting, .opening, .hanging, .fading, .closing, .finished:
            return nil
        }
        retry = patience.firstRetry
        deadline = now + patience.stall
        return nil
    }

    /// The dead client is closed only at the next attempt. Closing cancels jackd2's notification thread, which reports
    /// the loss and may hold a lock that closing needs (jackaudio/jack2 issue 395).
    private mutating func serverLeft(_ reason: String, _ now: Duration) -> Action? {
        guard isJoined || phase == .fading else { return nil }
        hadServer = true
        status = .silent(.lost, reason)
        guard isWanted else { return close(now) }
        phase = .waiting
        retry = patience.firstRetry
        deadline = now + retry
        return nil
    }

    private mutating func changed(_ sampleRate: Int, _ period: Int, _ now: Duration) -> Action? {
        guard isJoined, let old = session else { return nil }
        guard sampleRate == old.sampleRate else {
            status = .silent(.lost, "the sample rate is changing")
            return close(now)
        }
        session?.period = period
        showSession()
        return nil
    }

    private mutating func connected(_ connections: JackConnections) -> Action? {
        session?.connections = connections
        showSession()
        return nil
    }

    private mutating func latencyChanged(_ frames: Int) -> Action? {
        session?.playbackLatency = frames
        showSession()
        return nil
    }

    private mutating func showSession() {
        if phase == .running { status.session = session }
    }

    private mutating func tick(_ now: Duration) -> Action? {
        guard let due = deadline, now >= due else { return nil }
        switch phase {
        case .waiting: return hasClient ? close(now) : open(now)
        case .fading: return close(now)
        case .opening, .hanging, .closing: return isWanted ? overdue(now) : finish()
        case .starting, .running: return stall(now)
        case .stalled: return probe(now)
        case .idle, .finished: return nil
        }
    }
}

// MARK: Servers that hang

extension SupervisorMachine {
    private mutating func stall(_ now: Duration) -> Action? {
        phase = .stalled
        stalledSince = now
        hadServer = true
        status = .silent(.lost, "the JACK server does not answer")
        deadline = probes ? now + retry : nil
        return nil
    }

    private mutating func overdue(_ now: Duration) -> Action? {
        switch phase {
        case .closing:
            // Try again after that time, in case the callback is in the middle of a cycle.
            deadline = now + patience.call
            return .abandon
        case .hanging:
            return probe(now)
        default:
            phase = .hanging
            deadline = probes ? now + retry : nil
            status = .silent(silentState, "the JACK server does not answer")
            if isStuck {
                status.reason = "JACK's library still waits for the lost server; restart pixelboopd to get sound"
                status.needsRestart = true
            }
            return nil
        }
    }

    /// A probe may hang as well, with its thread; the waits keep doubling, so that such threads stay few.
    private mutating func probe(_ now: Duration) -> Action? {
        retry *= 2
        deadline = now + retry
        return .probe
    }

    /// A server that has our ports is the one that stalled, which usually recovers by itself.
    private mutating func answered(_ knowsUs: Bool, _ now: Duration) -> Action? {
        guard isWanted else { return nil }
        retry = min(retry, patience.longestRetry)
        switch phase {
        case .stalled: return !knowsUs || now - stalledSince >= patience.neglect ? close(now) : nil
        case .hanging: return .abandon
        default: return nil
        }
    }
}
