import CJack
import Engine
import Synchronization
import SystemSupport

/// The JACK driver: keeps a client of a JACK server open, even if the server disappears and comes back, and lets an
/// ``Engine`` render in its process callback.
///
/// Its methods never block on JACK and may be called on any thread.
public final class JackSupervisor: Sendable {
    /// The driver's events, from start to end; for one reader.
    public let events: AsyncStream<JackEvent>

    private let configuration: JackConfiguration
    private let memory: MemoryKeeping
    private let opening: JackOpening?
    private let playing: PlayingContext
    private let mailbox: Mailbox
    private let continuation: AsyncStream<JackEvent>.Continuation
    private let end = Latch()
    private let leadsTimebase = Mutex(false)
    private let leftCall = Atomic(false)

    /// A driver that does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - engine: The driver calls its audio side, and ``Engine/prepare(sampleRate:)``.
    ///   - configuration: How to present itself to JACK.
    ///   - memory: Keeps the memory of the process callback in RAM.
    ///   - opening: The opening of the first client, if it has begun.
    /// - Throws: ``JackFailure`` when the system is out of descriptors.
    public init(
        engine: Engine, configuration: JackConfiguration = JackConfiguration(), memory: MemoryKeeping = .none,
        opening: JackOpening? = nil
    ) throws(JackFailure) {
        self.configuration = configuration
        self.opening = opening
        self.memory = memory
        let context = try CallbackContext(engine: engine)
        playing = PlayingContext(context)
        mailbox = Mailbox(wake: context.wake)
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Runs until ``stop()``, or until the task is cancelled; call it once.
    ///
    /// - Throws: ``JackFailure`` when the system has no thread for it. A missing server is not an error.
    public func run() async throws {
        JackLibrary.beQuiet()
        try startThreads()
        await withTaskCancellationHandler {
            await end.wait()
        } onCancel: {
            requestStop()
        }
    }

    /// Plays until everything sent to the engine before has been heard and has faded, then closes the client.
    ///
    /// Send ``RtCommand/silence`` first to end without a click. Returns when the driver has ended, within 0.55 s,
    /// whatever JACK does.
    public func stop() async {
        requestStop()
        await end.wait()
    }

    /// Once the driver has ended, keeps callbacks of a client that was abandoned from the engine.
    ///
    /// - Returns: false if one hangs in the middle of a cycle.
    public func leaveEngine() -> Bool { playing.current.retire() }

    /// Once the driver has ended, whether a call of JACK's library did not return in time, and may hang for ever.
    public var hasLeftCall: Bool { leftCall.load(ordering: .acquiring) }

    /// Becomes timebase master whenever there is no other, or leaves it to others, as at first.
    public func leadTimebase(_ isWanted: Bool) {
        let isNew = leadsTimebase.withLock { leads in
            defer { leads = isWanted }
            return leads != isWanted
        }
        if isNew { mailbox.post(.leadTimebase(isWanted)) }
    }

    public var statistics: JackStatistics { unsafe playing.current.state.pointee.statistics }

    private func startThreads() throws(JackFailure) {
        let attempt = Attempt(context: playing.current)
        let emit = { @Sendable [continuation] in _ = continuation.yield($0) }
        try OrdinaryThread.startForJack(name: "jack") { [self] in
            var loop = SupervisorLoop(
                configuration: configuration, memory: memory, opening: opening, attempt: attempt, mailbox: mailbox,
                playing: playing, emit: emit)
            loop.run()
            leftCall.store(loop.hasLeftCall, ordering: .releasing)
            continuation.finish()
            end.open()
        }
    }

    private func requestStop() {
        mailbox.post(.stop)
    }
}
