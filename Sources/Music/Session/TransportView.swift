import Engine
import Instrument
import Music
import Rendering

/// Whether the step clock runs, and where it is, as far as the session knows.
///
/// The engine's clock decides. The effect of a command is shown at once, until a notice reports the real one; requests
/// to JACK's transport are shown only then. Commands reach the engine only while a driver runs: without one the session
/// keeps the state, and sends all of it to the engine when a driver is back.
final class TransportView {
    private(set) var status = TransportStatus(state: .stopped, step: 0) {
        didSet { if oldValue.state == .playing, !isPlaying { punchIns.endAll() } }
    }
    /// The step that is shown, nil when stopped.
    private(set) var playhead: Playhead?
    /// The notes that the step clock started last, or is about to start.
    private(set) var pulses: [Pulse] = []
    /// How far the music has come, nil after a stop or a jump.
    private var passage: Passage?
    /// Whether the engine's ring had no room for the last change.
    private(set) var owesState = false
    /// Whether the transport was playing when the audio driver was lost, and has not been stopped since.
    private var resumesWithAudio = false
    /// The clock's last notice, until it is shown.
    private var noticed: (state: PlayState, step: Int, songStep: SongStep)?
    /// The step that the clock began last, which may not be heard yet; nil while the clock is stopped.
    private var begunStep: Int?
    /// The step of the song that is shown, and the whole's loop.
    private var songStep: Int64 = 0
    private var loop: Loop
    private let link: AudioLink
    private let edited: EditedDocument
    private let sync: SyncView
    private let punchIns: HeldPunchIns
    private let outbox: Outbox

    init(
        _ link: AudioLink, _ edited: EditedDocument, _ sync: SyncView, _ punchIns: HeldPunchIns, _ outbox: Outbox
    ) {
        self.link = link
        self.edited = edited
        self.sync = sync
        self.punchIns = punchIns
        self.outbox = outbox
        loop = Loop(length: edited.document.pattern.length)
    }

    var isPlaying: Bool { status.state == .playing }

    /// How far the music has come, or where it would start.
    var reached: Passage { passage ?? Passage(startingWith: songStep, in: loop) }

    // MARK: Commands

    func carryOut(_ request: TransportRequest, at now: Duration) {
        switch request {
        case .play: start(at: now)
        case .stop: stop(at: now)
        case .pause: pause(at: now)
        case .toggle: isPlaying ? stop(at: now) : start(at: now)
        case .locate(let step): locate(step, at: now)
        case .record(let isOn): record(isOn, at: now)
        }
    }

    private func start(at now: Duration) {
        guard link.isRunning else { return }
        // Sent even while we play: an earlier request to stop may still be on its way.
        askHolder(to: .play)
        let startsAnew = !sync.isTransportShared && !isPlaying
        if !sync.isTransportShared { status.state = .playing }
        send(.play, endingSteps: startsAnew, at: now)
    }

    private func stop(at now: Duration) {
        if !sync.isTransportShared {
            status.state = .stopped
            move(to: 0)
        }
        resumesWithAudio = false
        punchIns.endAll()
        askHolder(to: .stop)
        send(.stop, endingSteps: true, at: now)
    }

    private func pause(at now: Duration) {
        resumesWithAudio = false
        guard isPlaying else { return }
        punchIns.endAll()
        if !sync.isTransportShared { status.state = .paused }
        askHolder(to: .stop)
        send(.pause, endingSteps: true, at: now)
    }

    private func locate(_ step: Int, at now: Duration) {
        if !sync.isTransportShared { move(to: step) }
        send(.locate(step: Int32(step)), endingSteps: true, at: now)
    }

    /// Shows a step of the song's first pass through the loop.
    private func move(to step: Int) {
        (status.step, songStep, loop.origin) = (step, Int64(step), 0)
        passage = nil
    }

    /// Arms or disarms recording; disarming writes the notes still held.
    private func record(_ isOn: Bool, at now: Duration) {
        guard isOn != status.record else { return }
        status.record = isOn
        send(.record(isOn), at: now)
    }

    /// Sends our starts and stops to the timeline's holder, if they are shared.
    private func askHolder(to request: TimelineRequest) {
        if edited.document.isOn(.syncStartStop) { sync.ask(request) }
    }

    /// Sends a command while there is a driver.
    ///
    /// - Parameter endsSteps: Whether the command invalidates earlier steps, so that they are not mistaken for later
    ///   ones. JACK's transport keeps playing until JACK stops it.
    private func send(_ command: RtCommand, endingSteps endsSteps: Bool = false, at now: Duration) {
        if link.isRunning {
            owesState = owesState || !link.send(command, at: now)
            if endsSteps, !sync.asksJack { endSteps() }
            link.poller.expectNotices(from: now)
        }
        show()
    }

    /// Drops the steps that the engine has started, or starts before it has carried out all commands.
    private func endSteps() {
        link.poller.forgetSteps(beforeCommand: link.engine.sentCommands)
        outbox.withdrawSteps()
    }

    /// Sends the engine the whole state: after a driver came back, or when the command queue was full.
    func settle(at now: Duration) {
        let isArmed = link.send(.record(status.record), at: now)
        owesState = !isArmed || !link.send(.restore(status.state, SongStep(songStep, in: loop)), at: now)
    }

    /// Keeps the clock within the loop, and updates the steps that are shown while paused.
    func documentChanged() {
        loop = loop.resized(to: edited.document.pattern.length, at: songStep)
        status.step = loop.step(at: songStep)
        show()
    }

    // MARK: Notices

    /// Handles the notice that the clock has begun a step.
    func notice(step: Int) { begunStep = step }

    /// Handles a notice of the clock's state.
    func notice(_ state: PlayState, step: Int, songStep: SongStep) {
        // If music plays again by now, these steps must not be mistaken for its own.
        if state != .playing {
            link.poller.forgetNotices()
            begunStep = nil
        }
        noticed = (state, step, songStep)
    }

    /// Shows the last notice, once no command is under way that may change it. Without a driver the session keeps the
    /// state; the engine receives and confirms it when there is a driver again.
    func showNoticed() {
        guard link.isRunning, let noticed else { return }
        self.noticed = nil
        // While the music plays, a step is shown when it is heard.
        if isPlaying, noticed.state == .playing, noticed.step == begunStep { return }
        let (state, step, place) = noticed
        guard noticed != (status.state, status.step, SongStep(songStep, in: loop)) else { return }
        (status.state, status.step) = (state, step)
        songStep = place.number
        loop = Loop(length: edited.document.pattern.length, origin: place.origin)
        show()
    }

    /// Shows a step that is heard now.
    func follow(_ step: StepNotice, heardAt: Duration) {
        guard isPlaying else { return }
        status.step = Int(step.step)
        let pattern = edited.document.pattern
        let passage = Passage(with: step, of: pattern)
        self.passage = passage
        (songStep, loop) = (passage.songStep, passage.loop)
        expectStep(after: SongPlace(songStep: passage.songStep), at: heardAt)
        let trackSteps = pattern.steps(at: passage.songStep, in: passage.loop)
        playhead = Playhead(
            step: Int(step.step), trackSteps: trackSteps, songStep: Int(step.songStep.number), startedAt: heardAt)
        for track in Track.allCases {
            show(
                step.notes[track.rawValue], on: track, at: trackSteps[track.rawValue],
                in: SongPlace(songStep: passage.songStep), heardAt: heardAt)
        }
        publishSteps(frame: step.frame, usecs: step.usecs)
    }

    /// Shows a step of a track that is heard now.
    func follow(_ step: TrackStepNotice, heardAt: Duration) {
        guard isPlaying, let passage, let track = Track(rawValue: Int(step.track)) else { return }
        let place = SongPlace(songStep: passage.songStep, part: step.part)
        expectStep(after: place, at: heardAt)
        playhead?.trackSteps[track.rawValue] = Int(step.step)
        show(step.notes, on: track, at: Int(step.step), in: place, heardAt: heardAt)
        publishSteps(frame: step.frame, usecs: step.usecs)
    }

    /// Shows a note that is heard before its step.
    func show(early note: TrackStepNotice, heardAt: Duration) {
        guard isPlaying, let passage, let track = Track(rawValue: Int(note.track)) else { return }
        expectStep(after: SongPlace(songStep: passage.songStep, part: note.part), at: heardAt)
        pulses.removeAll { $0.isOver(at: heardAt) }
        pulses.append(Pulse(track, step: Int(note.step), notes: note.notes.stepNotes, startedAt: heardAt))
        outbox.stateChanged()
    }

    /// Predicts when the next step of the song, or of a track, or an early note is heard.
    private func expectStep(after place: SongPlace, at heardAt: Duration) {
        guard let passage else { return }
        let next = edited.document.pattern.nextPlace(after: place, in: passage.loop)
        link.poller.expectStep(at: heardAt + duration(from: place, to: next))
    }

    private func duration(from place: SongPlace, to other: SongPlace) -> Duration {
        let pattern = edited.document.pattern
        let grid = SongGrid(swing: pattern.swing, loop: passage?.loop ?? Loop(length: pattern.length))
        func position(_ place: SongPlace) -> Double { grid.position(of: place.songStep, part: place.part) }
        return .seconds((position(other) - position(place)) * 15 / sync.bpm)
    }

    /// Shows the notes of a step as it is heard, each at its nudged start. An early note among them starts with the step.
    private func show(
        _ started: StartedNotes, on track: Track, at step: Int, in place: SongPlace, heardAt: Duration
    ) {
        let notes = started.stepNotes
        guard !notes.isEmpty, let passage else { return }
        pulses.removeAll { $0.isOver(at: heardAt) }
        let slot = edited.document.pattern[track]
        let time = slot.time(in: passage.loop)
        let count = Int64(time.count(at: place).rounded())
        for (nudge, numbers) in Dictionary(grouping: notes.notes, by: { slot[step][whole: $0][.nudge] }) {
            let start = time.place(of: count, moved: Int64(max(0, nudge)), of: 100)
            pulses.append(
                Pulse(
                    track, step: step, notes: notes.keeping(NoteSet(numbers)),
                    startedAt: heardAt + duration(from: place, to: start)))
        }
    }

    private func publishSteps(frame: Int64, usecs: UInt64) {
        guard let playhead else { return }
        outbox.stateChanged()
        let others = Track.allCases.filter { playhead.trackSteps[$0.rawValue] != playhead.step }
        let tracks = Dictionary(uniqueKeysWithValues: others.map { ($0, playhead.trackSteps[$0.rawValue]) })
        outbox.emit(
            .step(
                StepEvent(
                    step: playhead.step, songStep: Int(songStep), tracks: tracks, frame: frame, usecs: usecs)))
    }

    /// The step of a track that is heard now, nil while none is.
    func heardStep(of track: Track, at now: Duration) -> HeardStep? {
        guard isPlaying, let passage, let playhead, let start = playhead.startedAt else { return nil }
        let pattern = edited.document.pattern
        let place = SongPlace(songStep: passage.songStep)
        let length = duration(from: place, to: SongPlace(songStep: place.songStep + 1))
        return passage.heardStep(of: track, in: pattern, share: min(max(0, (now - start) / length), 0.999))
    }

    /// Shows the current transport; notices report later when its step is first heard.
    private func show() {
        switch status.state {
        case .stopped: (playhead, pulses, passage) = (nil, [], nil)
        case .playing where playhead == nil || playhead?.step == status.step: break
        case .playing, .paused:
            if playhead?.step != status.step { playhead = Playhead(step: status.step, startedAt: nil) }
            playhead?.trackSteps = edited.document.pattern.steps(at: songStep, in: loop)
        }
        playhead?.songStep = Int(songStep)
        outbox.stateChanged()
    }

    // MARK: The audio driver

    /// The driver was lost: the music pauses.
    func suspend(at now: Duration) {
        owesState = false
        link.poller.forgetNotices()
        guard isPlaying else { return }
        // Waits in the ring, so that the engine does not continue before it knows what to do.
        _ = link.send(.suspend, at: now)
        endSteps()
        status.state = .paused
        resumesWithAudio = true
        show()
    }

    /// There is a driver again: continues the music if the loss had paused it.
    func resume(at now: Duration) {
        if resumesWithAudio {
            resumesWithAudio = false
            status.state = .playing
        }
        settle(at: now)
        link.poller.expectNotices(from: now)
        show()
    }
}

extension Pattern {
    /// The step that each track plays at a step of the song.
    fileprivate func steps(at songStep: Int64, in whole: Loop) -> [Int] {
        played.map { slot in
            let time = slot.time(in: whole)
            return time.step(of: time.count(at: songStep))
        }
    }

    /// The next place at which a step of the song or of a track, or an early note, starts.
    fileprivate func nextPlace(after place: SongPlace, in whole: Loop) -> SongPlace {
        played.reduce(SongPlace(songStep: place.songStep + 1)) { next, slot in
            let time = slot.time(in: whole)
            var count = time.count(at: place.songStep)
            while !place.precedes(time.place(of: count)) { count += 1 }
            let nudges = slot[time.step(of: count)].heads.map { slot[time.step(of: count)][whole: $0][.nudge] }
            let starts = Set([0] + nudges.filter { $0 < 0 }).map { time.place(of: count, moved: Int64($0), of: 100) }
            return starts.reduce(next) { place.precedes($1) && $1.precedes($0) ? $1 : $0 }
        }
    }
}
