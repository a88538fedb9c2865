/// Decides when to open and close JACK clients, and what to say about it.
///
/// It is told what happened and when, and answers with what is to be done; it does nothing itself. Times are since any
/// fixed moment.
struct SupervisorMachine {
    /// Where a client's life is.
    private enum Phase {
        /// Nothing has been asked for yet.
        case idle
        /// Nothing is open, or only what a lost server left; to try again at the deadline.
        case waiting
        /// A client is being opened; overdue at the deadline.
        case opening
        /// The client is open, and JACK has not called for audio yet, or not made its connections; hung at the deadline.
        case starting
        /// JACK calls for audio; hung at the deadline.
        case running
        /// The client is open, but JACK has stopped calling for audio.
        case stalled
        /// The client plays its last frames, until the deadline at the latest.
        case fading
        /// The client is being closed; overdue at the deadline.
        case closing
        /// All is over.
        case finished
    }

    /// What happened.
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
        /// The process callback ran since the last time, and can be heard; with its real-time priority.
        case progress(realtimePriority: Int?)
        /// The last frames were rendered.
        case faded
        /// The server is gone or has thrown the client out, for a reason in words.
        case serverLeft(String)
        /// The server's rate and period are now these.
        case changed(sampleRate: Int, period: Int)
        /// Samples are heard so many frames after their time.
        case latencyChanged(frames: Int)
        /// Time has passed.
        case tick
    }

    /// What is to be done.
    enum Action: Equatable {
        /// Open and start a client.
        case open
        /// Close the client, dead or alive.
        case close
        /// Wait for the last frames to be rendered.
        case fade
    }

    /// Waiting times and limits.
    enum Limit {
        /// The wait before the first attempt to come back; it doubles with each that fails.
        static let firstRetry = Duration.milliseconds(250)
        /// The longest wait between attempts.
        static let longestRetry = Duration.seconds(4)
        /// How long JACK may not call for audio before it counts as hung; longer than any period.
        static let stall = Duration.seconds(2)
        /// How long JACK's library may take to open or close a client before that is reported.
        static let call = Duration.seconds(2)
        /// How long the last frames may take.
        static let fade = Duration.milliseconds(250)
        /// How long stopping may take after that before the client is left to its fate.
        static let farewell = Duration.milliseconds(500)
    }

    private var phase = Phase.idle
    private var retry = Limit.firstRetry
    private var session: JackSession?
    /// A client exists, though its server may be gone.
    private var hasClient = false
    private var isWanted = false
    private var hadServer = false

    /// What the driver is doing.
    private(set) var status = JackStatus.silent(.off, "the JACK driver has not been started")

    /// When ``Event/tick`` is due; nil when time changes nothing.
    private(set) var deadline: Duration?

    /// Whether everything is closed, or given up, for good.
    var isFinished: Bool { phase == .finished }

    /// How often to look whether the process callback has run; nil when the deadline is soon enough.
    var pollInterval: Duration? {
        switch phase {
        case .starting, .fading: .milliseconds(5)
        case .stalled: .milliseconds(100)
        case .idle, .waiting, .opening, .running, .closing, .finished: nil
        }
    }

    /// Whether there is a client whose server has not left.
    var isJoined: Bool {
        switch phase {
        case .starting, .running, .stalled: true
        case .idle, .waiting, .opening, .fading, .closing, .finished: false
        }
    }

    /// What to do about something that happened.
    mutating func handle(_ event: Event, at now: Duration) -> Action? {
        switch event {
        case .start: start(now)
        case .stop: stop(now)
        case .opened(let session): opened(session, now)
        case .openFailed(let reason): openFailed(reason, now)
        case .closed: closed(now)
        case .progress(let priority): progress(priority, now)
        case .faded: phase == .fading ? close(now) : nil
        case .serverLeft(let reason): serverLeft(reason, now)
        case .changed(let sampleRate, let period): changed(sampleRate, period, now)
        case .latencyChanged(let frames): latencyChanged(frames)
        case .tick: tick(now)
        }
    }
}

// MARK: Wanted and not

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
            deadline = now + Limit.fade
            return .fade
        case .opening, .closing:
            deadline = now + Limit.farewell
            return nil
        case .fading, .finished:
            return nil
        }
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
        deadline = now + Limit.call
        return .open
    }

    private mutating func opened(_ session: JackSession, _ now: Duration) -> Action? {
        guard phase == .opening else { return nil }
        hasClient = true
        self.session = session
        retry = Limit.firstRetry
        guard isWanted else { return close(now) }
        phase = .starting
        deadline = now + Limit.stall
        return nil
    }

    private mutating func openFailed(_ reason: String, _ now: Duration) -> Action? {
        guard phase == .opening else { return nil }
        guard isWanted else { return finish() }
        status = .silent(silentState, reason)
        phase = .waiting
        deadline = now + retry
        retry = min(retry * 2, Limit.longestRetry)
        return nil
    }

    private mutating func close(_ now: Duration) -> Action? {
        phase = .closing
        deadline = now + (isWanted ? Limit.call : Limit.farewell)
        return .close
    }

    private mutating func closed(_ now: Duration) -> Action? {
        guard phase == .closing else { return nil }
        hasClient = false
        session = nil
        return isWanted ? open(now) : finish()
    }

    private var silentState: JackStatus.State { hadServer ? .lost : .noServer }
}

// MARK: What the server does

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
        case .idle, .waiting, .opening, .fading, .closing, .finished:
            return nil
        }
        deadline = now + Limit.stall
        return nil
    }

    /// The dead client is closed only at the next attempt: jackd2's notification thread, which reports the loss, must not
    /// be cancelled while it holds a lock that closing needs (jackaudio/jack2 issue 395).
    private mutating func serverLeft(_ reason: String, _ now: Duration) -> Action? {
        guard isJoined || phase == .fading else { return nil }
        hadServer = true
        status = .silent(.lost, reason)
        guard isWanted else { return close(now) }
        phase = .waiting
        deadline = now + Limit.firstRetry
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
        case .opening, .closing: return isWanted ? overdue() : finish()
        case .starting, .running: return stall()
        case .idle, .stalled, .finished: return nil
        }
    }

    private mutating func stall() -> Action? {
        phase = .stalled
        deadline = nil
        hadServer = true
        status = .silent(.lost, "the JACK server does not answer")
        return nil
    }

    /// A call that does not return holds the library's lock: no other can be tried before it does.
    private mutating func overdue() -> Action? {
        deadline = nil
        if phase == .opening {
            status = .silent(silentState, "the JACK server does not answer")
        } else {
            status = .silent(
                .lost, "JACK's library does not let go of the lost server; only a restart brings sound back")
            status.needsRestart = true
        }
        return nil
    }
}
