import CLinux
import Engine
import Instrument
import Music
import Synchronization
import SystemSupport

/// Carries out what the ``SupervisorMachine`` decides, on the supervisor's own thread.
///
/// Calls to JACK's library that may block go to a thread of the attempt, and their results come back through the
/// ``Mailbox``.
struct SupervisorLoop {
    private let configuration: JackConfiguration
    private let keeping: MemoryKeeping
    private let opening: JackOpening?
    private let mailbox: Mailbox
    private let playing: PlayingContext
    private let emit: @Sendable (JackEvent) -> Void

    private var machine: SupervisorMachine
    private var attempt: Attempt
    private var memory: ConnectionMemory
    private var client: JackClient?
    /// Whether the client is about to be freed and must not be used.
    private var isClosing = false
    private var isReadingGraph = false
    /// Whether the client's remembered connections have been made.
    private var isWired = false
    private var isGraphStale = false
    private var cycles: Int
    private var lastFadedFrame = Int.max
    private var reported: Reported
    private var timebase = TimebaseWish()
    private var description = DescriptionSchedule()
    /// Whether a call of JACK's library did not return in time.
    private(set) var hasLeftCall = false

    /// Whether we want to be the server's timebase master, and when to ask again.
    private struct TimebaseWish {
        static let interval: Duration = .seconds(1)
        var isWanted = false
        var nextAttempt = Duration.zero
    }

    /// The state that was last reported to the owner.
    private struct Reported {
        var status: JackStatus
        var connections: JackConnections?
        /// Whether the last server refused metadata, so that the warning is not repeated each time that it comes back.
        var isMetadataRefused = false
        var xruns = 0
        var xrunTime = Duration.zero
    }

    init(
        configuration: JackConfiguration, memory keeping: MemoryKeeping, opening: JackOpening?, attempt: Attempt,
        mailbox: Mailbox, playing: PlayingContext, emit: @escaping @Sendable (JackEvent) -> Void
    ) {
        self.configuration = configuration
        self.keeping = keeping
        self.opening = opening
        self.attempt = attempt
        self.mailbox = mailbox
        self.playing = playing
        self.emit = emit
        machine = SupervisorMachine(probes: JackLibrary.keepsClientsApart, patience: configuration.patience)
        memory = ConnectionMemory(
            remembered: configuration.connections, connectsAtFirst: configuration.connectsAtFirst,
            doubt: configuration.patience.doubt)
        cycles = unsafe attempt.context.state.pointee.cycles.load(ordering: .relaxed)
        reported = Reported(status: machine.status, connections: configuration.connections)
    }

    /// Runs until the driver is stopped.
    mutating func run() {
        feed(.start)
        while !machine.isFinished {
            context.wake.wait(atMost: timeToNextWake)
            for message in mailbox.fetch() { receive(message) }
            readNotices()
            readProgress()
            seekTimebase()
            describeClient()
            if let deadline = graphDeadline, deadline <= now { readGraph() }
            feed(.tick)
            report()
        }
        finish()
    }

    private var context: CallbackContext { attempt.context }
    private var calls: WorkerThreads { attempt.calls }

    private var now: Duration { .nanoseconds(Int64(clinux_monotonic_nanoseconds())) }

    /// When to read the graph again even without a notification; nil while it is being read, which may take for ever.
    private var graphDeadline: Duration? { machine.isJoined && !isReadingGraph ? memory.deadline : nil }

    private var timeToNextWake: Duration? {
        let times = [
            machine.deadline, graphDeadline, machine.isJoined && timebase.isWanted ? timebase.nextAttempt : nil,
            isHeard ? description.due : nil,
        ].compactMap(\.self).map { $0 - now }
        return (times + [machine.pollInterval].compactMap(\.self)).min()
    }
}

// MARK: Events in

extension SupervisorLoop {
    private mutating func receive(_ message: Mailbox.Message) {
        switch message {
        case .opened(let client):
            self.client = client
            // Earlier clients' cycles do not show that this one is called.
            cycles = unsafe context.state.pointee.cycles.load(ordering: .acquiring)
            isClosing = false
            isWired = false
            description = DescriptionSchedule()
            feed(.opened(client.session))
            readGraph()
        case .openFailed(let reason):
            feed(.openFailed(reason))
        case .closed:
            client = nil
            feed(.closed)
        case .graph(let graph):
            received(graph)
        case .wired:
            wired()
        case .described(let outcome):
            described(outcome)
        case .answered(let knowsUs):
            feed(.answered(knowsUs: knowsUs))
        case .leadTimebase(let isWanted):
            guard isWanted != timebase.isWanted else { break }
            timebase = TimebaseWish(isWanted: isWanted)
            if !isWanted { submitTimebase(false) }
        case .stop:
            feed(.stop)
        }
    }

    /// Asks for the timebase once a second while there is another master.
    private mutating func seekTimebase() {
        guard machine.isJoined, timebase.isWanted, timebase.nextAttempt <= now else { return }
        timebase.nextAttempt = now + TimebaseWish.interval
        if unsafe !context.state.pointee.transport.isTimebaseOurs.load(ordering: .relaxed) { submitTimebase(true) }
    }

    private func submitTimebase(_ isWanted: Bool) {
        guard let client, !isClosing else { return }
        calls.submit { client.leadTimebase(isWanted) }
    }

    private mutating func readNotices() {
        guard client != nil else { return }
        let notices = unsafe context.state.pointee.fetchNotices()
        if notices.contains(.shutdown) {
            memory.forgetGraph()
            unsafe feed(.serverLeft(String(cString: context.state.pointee.shutdownReason)))
        }
        if !notices.isDisjoint(with: [.sampleRate, .period]) {
            unsafe feed(
                .changed(
                    sampleRate: context.state.pointee.sampleRate.load(ordering: .relaxed),
                    period: context.state.pointee.period.load(ordering: .relaxed)))
        }
        if notices.contains(.latency) {
            unsafe feed(.latencyChanged(frames: context.state.pointee.playbackLatency.load(ordering: .relaxed)))
        }
        if notices.contains(.portsLeft) { memory.portsLeft(at: now) }
        if !notices.isDisjoint(with: [.graph, .portsLeft]) { readGraph() }
    }

    private mutating func readProgress() {
        let count = unsafe context.state.pointee.cycles.load(ordering: .acquiring)
        // Only once it is connected, so that music does not start before it can be heard; and not during closing, which
        // frees what the priority is read from.
        if count != cycles, isWired, machine.isJoined, let client {
            cycles = count
            feed(.progress(realtimePriority: client.realtimePriority))
            description.heard(at: now)
        }
        if unsafe context.state.pointee.frames.load(ordering: .relaxed) >= lastFadedFrame {
            lastFadedFrame = .max
            feed(.faded)
        }
    }
}

// MARK: Actions out

extension SupervisorLoop {
    private mutating func feed(_ event: SupervisorMachine.Event) {
        switch machine.handle(event, at: now) {
        case .open: open()
        case .close: close()
        case .fade: fade()
        case .probe: probe()
        case .abandon: abandon()
        case nil: break
        }
    }

    private func open() {
        calls.submit { [configuration, keeping, opening, attempt, mailbox] in
            do throws(JackFailure) {
                let client = try JackClient.started(
                    configuration, context: attempt.context, keeping, opening: opening)
                if !mailbox.post(.opened(client), from: attempt.number) { client.close() }
            } catch {
                mailbox.post(.openFailed(error.description), from: attempt.number)
            }
        }
    }

    private mutating func close() {
        guard let client else { return }
        memory.forgetGraph()
        isClosing = true
        calls.submit { [attempt, mailbox] in
            client.close()
            mailbox.post(.closed, from: attempt.number)
        }
    }

    private func probe() {
        let name = client?.session.clientName ?? configuration.clientName
        do throws(JackFailure) {
            try JackProbe.start(configuration, for: name) { [mailbox] in mailbox.post(.answered(knowsUs: $0)) }
        } catch {
            emit(.warning("no thread for JACK: \(error)"))
        }
    }

    private mutating func abandon() {
        hasLeftCall = true
        guard let next = attempt.abandon() else { return }
        discard(mailbox.advance())
        attempt = next
        playing.current = next.context
        client = nil
        isReadingGraph = false
        feed(.abandoned)
    }

    /// Everything that was sent to the engine before is heard after at most two periods, and fades within 5 ms.
    private mutating func fade() {
        guard let session = client?.session else { return }
        let period = unsafe context.state.pointee.period.load(ordering: .relaxed)
        lastFadedFrame =
            unsafe context.state.pointee.frames.load(ordering: .relaxed) + session.sampleRate / 100 + 2 * period
    }

    private mutating func finish() {
        if client != nil {
            hasLeftCall = true
            emit(.warning("JACK did not close the client in time"))
        }
        discard(mailbox.close())
        calls.end()
    }

    /// Closes a client that was opened too late.
    private func discard(_ messages: [Mailbox.Message]) {
        for case .opened(let client) in messages {
            calls.submit { client.close() }
        }
    }
}

// MARK: The graph

extension SupervisorLoop {
    private mutating func readGraph() {
        guard machine.isJoined, let client else { return }
        isGraphStale = isReadingGraph
        guard !isReadingGraph else { return }
        isReadingGraph = true
        calls.submit { [attempt, mailbox] in
            mailbox.post(.graph(client.readGraph()), from: attempt.number)
        }
    }

    private mutating func received(_ graph: PortGraph) {
        isReadingGraph = false
        guard machine.isJoined, let client else { return }
        if !graph.loops.isEmpty { calls.submit { client.disconnect(graph.loops) } }
        feed(.connected(graph.connections))
        let missing = memory.observe(graph, at: now)
        if missing.isEmpty {
            wired()
        } else {
            calls.submit { [attempt, mailbox, emit] in
                for connection in client.connect(missing) {
                    emit(.warning("JACK refused to connect \(connection.port) to \(connection.peer)"))
                }
                mailbox.post(.wired, from: attempt.number)
            }
        }
        if isGraphStale { readGraph() }
    }

    /// The client's remembered connections have been made: from now on our notes have receivers.
    private mutating func wired() {
        guard !isWired else { return }
        isWired = true
        unsafe context.state.pointee.connectionCount.add(1, ordering: .relaxed)
    }
}

// MARK: Metadata

extension SupervisorLoop {
    private var isHeard: Bool { machine.isJoined && machine.status.state == .running }

    private mutating func describeClient() {
        guard isHeard, let client, let piece = description.fetchDue(at: now) else { return }
        calls.submit { [attempt, mailbox] in
            mailbox.post(.described(client.describe(piece: piece)), from: attempt.number)
        }
    }

    private mutating func described(_ outcome: JackMetadata.Outcome) {
        if outcome == .goesOn { return description.goOn(at: now) }
        let isRefused = outcome == .refused
        if isRefused, !reported.isMetadataRefused {
            emit(.warning("JACK refused metadata: patchbays show plain port names"))
        }
        reported.isMetadataRefused = isRefused
    }
}

// MARK: Reports

extension SupervisorLoop {
    private mutating func report() {
        if machine.status != reported.status {
            reported.status = machine.status
            emit(.status(machine.status))
        }
        if let connections = memory.remembered, connections != reported.connections {
            reported.connections = connections
            emit(.connections(connections))
        }
        let xruns = unsafe context.state.pointee.xruns.load(ordering: .relaxed)
        if xruns != reported.xruns, now - reported.xrunTime >= .seconds(1) {
            reported.xruns = xruns
            reported.xrunTime = now
            emit(.xruns(total: xruns))
        }
    }
}
