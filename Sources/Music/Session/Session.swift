import Engine
import Gestures
import Grid
import Instrument
import Music
import Rendering

/// The one owner of all state: touches and commands in, scores and frames out.
///
/// It runs on the control event loop's executor, so that a touch is interpreted, applied, published and drawn without a
/// thread hop. Each part of the state is private to the object that keeps it; the session brings them together. Times are
/// durations since any fixed origin and never go back.
public actor Session {
    private let executor: any SerialExecutor
    let link: AudioLink
    let outbox = Outbox()
    let edited: EditedDocument
    let display: Display
    let timeline: SharedTimeline
    let syncView: SyncView
    let kits: SampleKits
    let midi: MidiInput
    let heldKeys: HeldKeys
    let heldPunchIns: HeldPunchIns
    let monitoring: Monitoring
    let transportView: TransportView
    let launching: Launches
    let recorder: Recorder
    let catcher: Catcher
    let lensView: LensView
    private let tooltips: Tooltips

    private var gestures = GestureMachine()
    var parameterSteps = ParameterSteps()
    private var surfaces: [ClientID: TouchSurface] = [:]
    private var clientCount = 0
    private var auditionMode: AuditionMode
    /// The length of the loop that the engine plays.
    private var publishedLength: Int

    /// A session on the given executor (the control event loop's), playing through an engine.
    ///
    /// - Parameters:
    ///   - audition: When touches play notes.
    ///   - driver: The audio driver that calls the engine.
    ///   - listener: Is told everything that is published to the engine, on the control thread.
    public init(
        executor: any SerialExecutor, engine: Engine, document: Document, audition: AuditionMode = .whenNotPlaying,
        driver: AudioDriver = .jack, listener: (any PublicationListener)? = nil
    ) {
        self.executor = executor
        auditionMode = audition
        publishedLength = document.pattern.length
        link = AudioLink(engine, driver, listener)
        edited = EditedDocument(document)
        display = Display(outbox)
        tooltips = Tooltips(outbox)
        timeline = SharedTimeline(link, edited, outbox)
        syncView = SyncView(link, edited, timeline, tooltips, outbox)
        heldPunchIns = HeldPunchIns(link, tooltips, outbox)
        transportView = TransportView(link, edited, syncView, heldPunchIns, outbox)
        launching = Launches(link, edited, transportView, syncView, outbox)
        kits = SampleKits(link, edited)
        midi = MidiInput(engine, outbox)
        heldKeys = HeldKeys(link)
        monitoring = Monitoring(link, outbox)
        recorder = Recorder(edited)
        catcher = Catcher(edited, outbox)
        lensView = LensView(outbox)
        var source = ScoreSource(document)
        source.parameters.leaveJack(playedBy: driver)
        link.publish(Score(source), of: source, named: document.pattern.name)
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    // MARK: State

    /// Everything that persists.
    public var document: Document { edited.document }
    /// Whether the step clock runs, where it is, and whether the MIDI input is recorded.
    public var transport: TransportStatus { transportView.status }
    /// The launches that are queued on each track.
    public var launches: LaunchQueue { launching.queue }
    /// The audio driver's state.
    public var audio: AudioState { link.state }
    /// Whether only a restart of the program brings sound back.
    public var needsRestart: Bool { link.needsRestart }
    /// Counts changes to anything that the protocol's `state` shows.
    public var stateRevision: Int { outbox.stateRevision }
    /// Counts replacements of the whole pattern: by an import, a load or a new start, or by undoing one.
    public var patternRevision: Int { edited.patternRevision }
    /// Notices from the audio thread that were lost because they were not read in time.
    public var droppedNotices: Int { Int(clamping: link.engine.droppedNotices) }

    // MARK: Clients

    /// Gives a newly connected client its number.
    public func connect() -> ClientID {
        clientCount += 1
        return ClientID(clientCount)
    }

    /// Remembers what a client's touch surface can distinguish.
    public func declare(_ surface: TouchSurface, of client: ClientID) { surfaces[client] = surface }

    /// What a client's touch surface can distinguish, or the default.
    public func surface(of client: ClientID) -> TouchSurface { surfaces[client] ?? TouchSurface() }

    /// Drops the touches, and releases the keys and the punch-ins, of a client that went away.
    public func disconnect(_ client: ClientID, at now: Duration) {
        gestures.disconnect(client)
        heldKeys.releaseAll(of: client, at: now)
        heldPunchIns.releaseAll(of: client)
        surfaces[client] = nil
        timeline.drop(of: client, at: now)
        showGestures()
    }

    // MARK: Touches

    /// Handles a touch of the grid, whose effect has been applied and published when this returns.
    public func touch(_ touch: Touch, by client: ClientID, at now: Duration) throws(CommandError) -> TouchOutcome {
        if touch.phase == .down, !Frame.contains(x: touch.x, y: touch.y) {
            throw .offGrid(x: touch.x, y: touch.y)
        }
        hear(client, at: now)
        var outcome = carryOut(interpret(touch, by: client, at: now), by: client, at: now)
        showGestures()
        outcome?.frame = link.nextFrame
        return outcome ?? TouchOutcome()
    }

    /// The actions that a touch asks for.
    func interpret(_ touch: Touch, by client: ClientID, at now: Duration) -> [Action] {
        gestures.touch(touch, by: client, on: surface(of: client), at: now, in: gestureContext)
    }

    /// The tempo set by a tap at this time, nil if it is the first tap.
    func tapTempo(at now: Duration) -> ParameterValue? { gestures.tapTempo(at: now) }

    private var gestureContext: GestureContext {
        GestureContext(
            document: syncView.offeredDocument, isPlaying: transportView.isPlaying, isRecording: transport.record,
            canCatch: catcher.isFilled, hasAudio: link.isRunning, tempoSource: syncView.tempoSource, launches: launches,
            clockRuns: launching.clockRuns, kits: kits.names, lenses: lenses)
    }

    /// Redraws the gestures under way.
    func showGestures() {
        tooltips.dropLost(isUnderWay: gestures.isUnderWay)
        outbox.sceneChanged()
        settleFill()
    }

    /// Carries out the actions of a touch or a timer, in order.
    ///
    /// - Returns: The last outcome among the actions, nil when the pattern did not change.
    @discardableResult
    func carryOut(_ actions: [Action], by client: ClientID? = nil, at now: Duration) -> TouchOutcome? {
        var outcome: TouchOutcome?
        var edited = false
        for action in actions {
            switch action {
            case .perform(let command): if carryOut(command, by: client, at: now) { edited = true }
            case .tooltip(let tooltip): tooltips.show(tooltip, at: now)
            case .dragTooltip(let tooltip, let drag): tooltips.show(tooltip, during: drag)
            case .endDragTooltip(let drag): tooltips.end(drag, at: now)
            case .withdrawTooltip(let tooltip): tooltips.withdraw(tooltip)
            case .punchIn(let touch): hold(touch)
            case .endPunchIn(let effect, let client, let id):
                heldPunchIns.release(effect, by: .finger(client, id))
            case .haptic(let client, let haptic): outbox.emit(.haptic(client, haptic))
            case .audition(let audition): play(audition, at: now)
            case .outcome(let result): outcome = result
            }
        }
        if edited { documentChanged(at: now) }
        return outcome
    }

    /// Shows what a finger holds, for as long as it holds it.
    func showPunch(_ touch: PunchTouch) { tooltips.show(touch.tooltip, during: touch.id) }

    private func play(_ audition: Audition, at now: Duration) {
        guard link.isRunning, auditions, !document.isSilent(audition.track) else { return }
        let command = RtCommand.audition(
            track: Int32(audition.track.rawValue), notes: audition.notes.bits, velocity: audition.velocity.rawValue)
        _ = link.send(command, at: now)
        link.poller.expectNotices(from: now)
    }

    /// Sets when touches let notes sound.
    public func setAudition(_ mode: AuditionMode) { auditionMode = mode }

    /// Whether touches let notes sound now.
    private var auditions: Bool {
        switch auditionMode {
        case .always: true
        case .whenNotPlaying: !transportView.isPlaying
        case .never: false
        }
    }

    /// Tells the engine whether FILL is held.
    func settleFill() {
        if lensView.settleFill(heldByFinger: gestures.isFilling) { publishScore() }
    }

    // MARK: Changes

    /// Applies requested changes; returns whether ``documentChanged(at:)`` must publish them.
    func apply(_ changes: [DocumentChange]) -> Bool {
        if changes.contains(where: \.endsParameterSteps) { parameterSteps.end() }
        let revision = edited.patternRevision
        defer { if edited.patternRevision != revision { launching.end() } }
        return edited.apply(changes)
    }

    /// Begins with a stored session that was found after the start, unless the one so far was edited or plays.
    ///
    /// - Parameter first: What the session began with.
    /// - Returns: Whether it did.
    public func begin(with stored: Document, insteadOf first: Document, at now: Duration) -> Bool {
        guard document == first, !transportView.isPlaying else { return false }
        edited.begin(with: stored)
        launching.end()
        documentChanged(at: now)
        return true
    }

    func carryOut(_ request: LaunchRequest, at now: Duration) { launching.carryOut(request, at: now) }

    func carryOut(_ request: TransportRequest, at now: Duration) -> Bool {
        if case .record = request {} else { recorder.endTrails() }
        transportView.carryOut(request, at: now)
        return launching.settle(at: now)
    }

    /// Publishes a changed document and updates the gestures under way.
    func documentChanged(at now: Duration) {
        publishScore()
        kits.dropUnused(at: now)
        if document.pattern.length != publishedLength {
            publishedLength = document.pattern.length
            link.poller.expectNotices(from: now)
        }
        transportView.documentChanged()
        syncView.settle(at: now)
        outbox.stateChanged()
        carryOut(gestures.contextChanged(at: now, in: gestureContext), at: now)
        showGestures()
    }

    func publishScore() { launching.publishScore(isFilling: isFilling, kit: kits.playing) }

    // MARK: Time

    /// Lets time pass: handles gesture timers and notices from the audio thread.
    public func advance(to now: Duration) {
        if let deadline = gestures.nextDeadline, deadline <= now {
            carryOut(gestures.advance(to: now, in: gestureContext), at: now)
            showGestures()
        }
        heldKeys.advance(to: now)
        if heldPunchIns.advance(to: now) { showGestures() }
        listen(at: now)
    }

    /// When ``advance(to:)`` should be called next, nil while nothing is expected.
    public var nextWake: Duration? { nextWake(beforePictures: nil) }

    /// When ``advance(to:)`` should be called next, nil while nothing is expected.
    ///
    /// - Parameter pictures: When pictures can be sent, if only they show what is heard: news of that then wait for a picture
    ///   that is due soon, which saves a wake-up. Nil if they are needed at once.
    public func nextWake(beforePictures pictures: PictureSchedule?) -> Duration? {
        let nextPoll = link.poller.nextPoll(beforePictures: pictures)
        return [gestures.nextDeadline, heldKeys.deadline, heldPunchIns.deadline, nextPoll, monitoring.nextLook]
            .compactMap(\.self).min()
    }

    // MARK: Output

    /// The events for subscribers since the last call.
    public func fetchEvents() -> [SessionEvent] { outbox.removeEvents() }

    /// The changes since the last call, in order, for storage.
    public func fetchChanges() -> [DocumentChange] { edited.removeUnsaved() }

    /// Everything that can be seen on the grid now.
    var scene: Scene {
        var scene = Scene(document: document)
        scene.isPlaying = transportView.isPlaying
        scene.isRecording = transport.record
        scene.canCatch = catcher.isFilled
        scene.playhead = transportView.playhead
        scene.pulses = transportView.pulses
        scene.previews = gestures.previews
        scene.scrubChanges = gestures.scrubChanges
        scene.pickedUp = gestures.pickedUp
        scene.tooltip = tooltips.shown
        scene.beat = syncView.beat
        scene.launches = launches
        scene.levels = monitoring.levels
        scene.lenses = lenses
        scene.isFilling = isFilling
        scene.punchBars = heldPunchIns.bars
        return scene
    }

    /// The current pictures, redrawn only when something changed.
    public func pictures(at now: Duration) -> Pictures { display.pictures(of: scene, at: now) }

    /// Whether nothing has happened since the picture was drawn; animations may have moved on.
    public var isPictureCurrent: Bool { !outbox.needsRedraw }

    /// When to redraw: at once (a time in the past) if something has changed, else when the picture changes by itself.
    public var nextRedraw: Duration { display.nextRedraw }

    /// The current labels of the cells, recomputed only when notes or lenses changed.
    public func labels() -> Numbered<Labels> { display.labels(of: scene) }
}

extension DocumentChange {
    /// Whether later changes of parameters are steps of their own.
    fileprivate var endsParameterSteps: Bool {
        switch self {
        case .undo, .redo, .replacePattern, .startNew: true
        default: false
        }
    }
}

extension Frame {
    /// Whether a point, in fractional cells, lies on the grid.
    fileprivate static func contains(x: Double, y: Double) -> Bool {
        x >= 0 && x < Double(columns) && y >= 0 && y < Double(rows)
    }
}
