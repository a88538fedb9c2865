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
    let engine: Engine
    /// When touches let notes sound.
    private var auditionMode: AuditionMode

    var scene: Scene
    /// The drag whose text is on the grid, nil when the text has a time of its own.
    var tooltipDrag: DragID?
    var gestures = GestureMachine()
    private var surfaces: [ClientID: TouchSurface] = [:]
    private var clientCount = 0

    /// Whether the step clock runs, and where it is.
    public internal(set) var transport = TransportStatus(state: .stopped, step: 0)
    /// Whether what is played at the MIDI input is written while the clock runs.
    public internal(set) var isRecording = false
    var recording = Recording()
    var midi = MidiListening()
    /// What tempo and position follow, and who is given ours.
    public internal(set) var sync: SyncStatus
    /// What the audio driver is doing.
    public internal(set) var audio = AudioStatus()
    /// Counts changes of anything that the protocol's `state` shows.
    public private(set) var stateRevision = 0

    /// Whether the transport was playing when the audio driver was lost, and nobody stopped it since.
    var resumesWithAudio = false
    /// What the clock told last of the transport, until it is shown.
    var toldTransport: TransportStatus?
    /// Whether the engine's ring had no room for the last change of the transport.
    var owesTransport = false

    /// Counts how often another pattern took the place of the one before, by an import, a load, or an undo of one.
    public private(set) var patternRevision = 0

    /// The length that the engine was told last.
    private var publishedLength: Int
    var listening = Listening()
    var publishedLaunches = PublishedLaunches()
    /// Whether anybody is shown what is heard, at the time.
    var isWatched = false
    var syncMemory = SyncMemory()
    var timelineHeld: HeldTimeline?
    /// The clients that want to be told what players ask for.
    var requestTakers: Set<ClientID> = []
    var kits = KitMemory()
    var meters = LevelMeters()
    /// Whether somebody wants to see what an oscilloscope shows.
    var isScopeWanted = false
    private var events: [SessionEvent] = []
    private var unsaved: [DocumentChange] = []

    private var renderer = Renderer()
    private var picture = NumberedFrame(sequence: 0, frame: Frame())
    private var needsRedraw = true
    private var nextChange: Duration = .zero

    /// A session on the given executor (the control event loop's), playing through an engine.
    public init(
        executor: any SerialExecutor, engine: Engine, document: Document, audition: AuditionMode = .whenNotPlaying
    ) {
        self.executor = executor
        self.engine = engine
        auditionMode = audition
        scene = Scene(document: document)
        sync = SyncStatus(bpm: document.pattern.tempo.bpm)
        publishedLength = document.pattern.length
        engine.publish(Score(document))
    }

    /// The control event loop's.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Everything that persists.
    public var document: Document { scene.document }

    // MARK: Clients

    /// Numbers a client that connected.
    public func connect() -> ClientID {
        clientCount += 1
        return ClientID(clientCount)
    }

    /// Remembers what a client's touch surface can tell.
    public func declare(_ surface: TouchSurface, of client: ClientID) {
        surfaces[client] = surface
    }

    /// What a client's touch surface can tell, as far as is known.
    public func surface(of client: ClientID) -> TouchSurface { surfaces[client] ?? TouchSurface() }

    /// Drops the touches of a client that went away.
    public func disconnect(_ client: ClientID, at now: Duration) {
        gestures.disconnect(client)
        surfaces[client] = nil
        dropTimeline(of: client, at: now)
        showGestures()
    }

    // MARK: Touches

    /// Takes a touch: interpreted, applied and published when this returns.
    public func touch(_ touch: Touch, by client: ClientID, at now: Duration) throws(CommandError) -> TouchReply {
        if touch.phase == .down, !Frame.contains(x: touch.x, y: touch.y) {
            throw .offGrid(x: touch.x, y: touch.y)
        }
        let actions = gestures.touch(touch, by: client, on: surface(of: client), at: now, in: gestureContext)
        let outcome = carryOut(actions, at: now)
        showGestures()
        let frame = outcome != nil && audio.state == .running ? engine.nextFrame : nil
        return TouchReply(outcome: outcome, frame: frame)
    }

    var gestureContext: GestureContext {
        GestureContext(
            document: offeredDocument, isPlaying: transport.state == .playing, isRecording: isRecording,
            hasAudio: audio.state == .running, tempoSource: tempoSource, launches: launches, clockRuns: clockRuns,
            kits: kitNames)
    }

    /// Shows what the gestures under way look like now.
    func showGestures() {
        scene.previews = gestures.previews
        scene.scrubChanges = gestures.scrubChanges
        scene.pickedUp = gestures.pickedUp
        dropTooltipOfLostDrag()
        needsRedraw = true
    }

    // MARK: Time

    /// Lets time pass: gesture timers, and what the audio thread has to tell.
    public func advance(to now: Duration) {
        if let deadline = gestures.nextDeadline, deadline <= now {
            carryOut(gestures.advance(to: now, in: gestureContext), at: now)
            showGestures()
        }
        listen(at: now)
    }

    /// When ``advance(to:)`` should be called next, nil while nothing is to be expected.
    public var nextWake: Duration? {
        [gestures.nextDeadline, listening.nextPoll].compactMap(\.self).min()
    }

    // MARK: Changes

    /// Makes changes that ``documentChanged(at:)`` is to publish; false when they alter nothing.
    func apply(_ changes: [DocumentChange]) -> Bool {
        let count = unsaved.count
        for change in changes {
            let isReplacement = document.replacesPattern(by: change)
            guard scene.document.apply(change) else { continue }
            if isReplacement {
                patternRevision += 1
                endLaunches()
            }
            unsaved.append(change)
        }
        return unsaved.count > count
    }

    /// What changed since the last call, in order, for storage to keep.
    public func takeChanges() -> [DocumentChange] {
        defer { unsaved.removeAll(keepingCapacity: true) }
        return unsaved
    }

    /// Publishes a changed document and lets the drags under way be judged anew.
    func documentChanged(at now: Duration) {
        engine.publish(makeScore())
        dropUnusedKit(at: now)
        if document.pattern.length != publishedLength { lengthChanged(at: now) }
        settleSync(at: now)
        stateChanged()
        carryOut(gestures.contextChanged(at: now, in: gestureContext), at: now)
        showGestures()
    }

    private func lengthChanged(at now: Duration) {
        publishedLength = document.pattern.length
        listening.expectNotices(from: now)
        guard transport.state != .playing else { return }
        transport.step %= publishedLength
        showTransport()
    }

    /// Notes that something which the protocol's `state` or the grid shows is different.
    func stateChanged() {
        stateRevision += 1
        needsRedraw = true
    }

    /// Notes that something which only the grid shows is different.
    func sceneChanged() {
        needsRedraw = true
    }

    /// Sets when touches let notes sound.
    public func setAudition(_ mode: AuditionMode) {
        auditionMode = mode
    }

    /// Whether touches let notes sound now.
    var auditions: Bool {
        switch auditionMode {
        case .always: true
        case .whenNotPlaying: transport.state != .playing
        case .never: false
        }
    }

    // MARK: Output

    /// Adds something that subscribers are to be told once.
    func emit(_ event: SessionEvent) {
        events.append(event)
    }

    /// What subscribers are to be told since the last call.
    public func takeEvents() -> [SessionEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// The picture of now; drawn anew only when something changed.
    public func frame(at now: Duration) -> NumberedFrame {
        guard needsRedraw || now >= nextChange else { return picture }
        needsRedraw = false
        let before = picture.frame
        nextChange = renderer.draw(scene, at: now, into: &picture.frame)
        if picture.frame != before || picture.sequence == 0 { picture.sequence += 1 }
        return picture
    }

    /// When the picture may differ from the last one taken: the past when something changed since, else the moment at
    /// which it changes by itself.
    public var nextRedraw: Duration {
        needsRedraw ? .zero : nextChange
    }
}

/// When touches let the notes they are about to write sound.
public enum AuditionMode: String, CaseIterable, Sendable {
    /// While the transport is stopped or paused.
    case whenNotPlaying = "stopped"
    case always
    case never
}

extension Frame {
    /// Whether a place in cells, with fractions, lies on the grid.
    static func contains(x: Double, y: Double) -> Bool {
        x >= 0 && x < Double(columns) && y >= 0 && y < Double(rows)
    }
}
