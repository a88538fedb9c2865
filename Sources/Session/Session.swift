import Engine
import Gestures
import Grid
import Music
import Rendering

/// The one owner of all state: touches and commands in, scores and frames out.
///
/// It runs on the control event loop's executor, so that a touch is interpreted, applied, published and drawn without a
/// thread hop. Times are durations since any fixed origin and never go back.
public actor Session {
    private let executor: any SerialExecutor

    /// A session on the given executor (the control event loop's), playing through an engine.
    public init(executor: any SerialExecutor, engine: Engine, document: Document) {
        self.executor = executor
    }

    /// The control event loop's.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    // MARK: Clients

    /// Numbers a client that connected.
    public func connect() -> ClientID { ClientID(0) }

    /// Remembers what a client's touch surface can tell.
    public func declare(_ surface: TouchSurface, of client: ClientID) {}

    /// Drops the touches of a client that went away.
    public func disconnect(_ client: ClientID, at now: Duration) {}

    // MARK: Input

    /// Takes a touch: interpreted, applied and published when this returns.
    public func touch(_ touch: Touch, by client: ClientID, at now: Duration) throws(CommandError) -> TouchReply {
        TouchReply()
    }

    /// Takes a program's command: applied and published when this returns.
    public func perform(_ command: Command, at now: Duration) throws(CommandError) {}

    /// Lets time pass: gesture timers, and what the audio thread has to tell.
    public func advance(to now: Duration) {}

    /// When ``advance(to:)`` should be called next, nil while nothing is to be expected.
    public var nextWake: Duration? { nil }

    // MARK: Output

    /// Everything that persists.
    public var document: Document { Document() }
    /// Whether the step clock runs, and where it is.
    public var transport: TransportStatus { TransportStatus(state: .stopped, step: 0) }
    /// What the audio driver is doing.
    public var audio: AudioStatus { AudioStatus() }

    /// Counts changes of anything that the protocol's `state` shows.
    public var stateRevision: Int { 0 }

    /// What subscribers are to be told since the last call.
    public func takeEvents() -> [SessionEvent] { [] }

    /// The picture of now; drawn anew only when something changed.
    public func frame(at now: Duration) -> NumberedFrame { NumberedFrame(sequence: 1, frame: Frame()) }

    /// When the picture changes next by itself, nil while it must be asked for only after input; meaningful after
    /// ``frame(at:)``.
    public var nextRedraw: Duration? { nil }

    // MARK: The audio driver

    /// Tells what became of the audio driver; a driver that comes back goes on playing if it was.
    public func audioChanged(to status: AudioStatus, at now: Duration) {}
}
