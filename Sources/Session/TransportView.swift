import Engine
import Music
import Rendering

/// Whether the step clock runs, and where it is, as far as the session knows.
///
/// The clock in the engine decides. What a command asks for is shown at once, until a notice says what came of it; where
/// JACK's transport is asked, nothing is shown before that. Commands reach the engine only while a driver runs: for the rest
/// the session remembers, and sends it the whole state when a driver is back.
final class TransportView {
    private(set) var status = TransportStatus(state: .stopped, step: 0)
    /// The step that is shown, nil when stopped.
    private(set) var playhead: Playhead?
    /// The notes that the step clock started last.
    private(set) var pulse: Pulse?
    /// How far the music has come, nil when stopped.
    private(set) var passage: Passage?
    /// Whether the engine's ring had no room for the last change.
    private(set) var owesState = false
    /// Whether the transport was playing when the audio driver was lost, and nobody stopped it since.
    private var resumesWithAudio = false
    /// What the clock's last notice said, until it is shown.
    private var noticed: (state: PlayState, step: Int)?
    private let link: AudioLink
    private let edited: EditedDocument
    private let sync: SyncView
    private let outbox: Outbox

    init(_ link: AudioLink, _ edited: EditedDocument, _ sync: SyncView, _ outbox: Outbox) {
        self.link = link
        self.edited = edited
        self.sync = sync
        self.outbox = outbox
    }

    var isPlaying: Bool { status.state == .playing }

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
        // Also while we play: a stop that has not come back to us yet may be on its way.
        askHolder(to: .play)
        let startsAnew = !sync.isTransportShared && !isPlaying
        if !sync.isTransportShared { status.state = .playing }
        send(.play, endingSteps: startsAnew, at: now)
    }

    private func stop(at now: Duration) {
        if !sync.isTransportShared { (status.state, status.step) = (.stopped, 0) }
        resumesWithAudio = false
        askHolder(to: .stop)
        send(.stop, endingSteps: true, at: now)
    }

    private func pause(at now: Duration) {
        resumesWithAudio = false
        guard isPlaying else { return }
        if !sync.isTransportShared { status.state = .paused }
        askHolder(to: .stop)
        send(.pause, endingSteps: true, at: now)
    }

    private func locate(_ step: Int, at now: Duration) {
        if !sync.isTransportShared { status.step = step }
        send(.locate(step: Int32(step)), endingSteps: true, at: now)
    }

    /// Arms recording, or disarms it, which writes the notes under way.
    private func record(_ isOn: Bool, at now: Duration) {
        guard isOn != status.record else { return }
        status.record = isOn
        send(.record(isOn), at: now)
    }

    /// Offers our starts and stops to the holder of the timeline, if they are shared.
    private func askHolder(to request: TimelineRequest) {
        if edited.document.isOn(.syncStartStop) { sync.ask(request) }
    }

    /// Sends a command while there is a driver.
    ///
    /// - Parameter endsSteps: Whether the steps that start before the engine obeys are over with the command: they must not
    ///   pass for those that come of it. JACK's transport plays on until JACK stops it.
    private func send(_ command: RtCommand, endingSteps endsSteps: Bool = false, at now: Duration) {
        if link.isRunning {
            owesState = owesState || !link.send(command, at: now)
            if endsSteps, !sync.asksJack { endSteps() }
            link.listening.expectNotices(from: now)
        }
        show()
    }

    /// Publishes no more of the steps that the engine started, and starts before it has obeyed all that it was sent.
    private func endSteps() {
        link.listening.forgetSteps(beforeCommand: link.engine.sentCommands)
        outbox.withdrawSteps()
    }

    /// Sends the engine the whole state anew: after a driver came back, or when its ring had no room.
    func settle(at now: Duration) {
        let isArmed = link.send(.record(status.record), at: now)
        owesState = !isArmed || !link.send(.restore(status.state, step: Int32(status.step)), at: now)
    }

    /// Keeps a clock that stands within the loop.
    func lengthChanged(to length: Int) {
        guard !isPlaying else { return }
        status.step %= length
        show()
    }

    // MARK: Notices

    /// A notice says how the clock stands.
    func notice(_ state: PlayState, step: Int) {
        // Playing may go on by now: the steps that were cut off must not pass for its own.
        if state != .playing { link.listening.forgetNotices() }
        noticed = (state, step)
    }

    /// Shows what notices said, once no command is on its way that may change it. Without a driver it is we who remember: the
    /// engine is sent that when there is one again, and answers.
    func showNoticed() {
        guard link.isRunning, let noticed else { return }
        self.noticed = nil
        guard noticed != (status.state, status.step) else { return }
        (status.state, status.step) = noticed
        show()
    }

    /// Shows a step that is heard now.
    func follow(_ step: Listening.Step) {
        guard isPlaying else { return }
        status.step = step.step
        let length = edited.document.pattern.duration(
            ofSongStep: step.songStep, step: step.step, bpm: sync.status.bpm)
        link.listening.expectStep(at: step.heardAt + length)
        playhead = Playhead(step: step.step, songStep: step.songStep, startedAt: step.heardAt)
        let pattern = edited.document.pattern
        passage = passage?.continued(with: step, of: pattern) ?? Passage(with: step, of: pattern)
        let notes = Track.allCases.map { step.notes[$0.rawValue].stepNotes }
        pulse = Pulse(step: step.step, notes: notes, startedAt: step.heardAt)
        outbox.stateChanged()
        outbox.emit(.step(step: step.step, frame: step.frame, usecs: step.usecs))
    }

    /// The step of a track that is heard now, nil while none is.
    func heardStep(of track: Track, at now: Duration) -> HeardStep? {
        guard isPlaying, let passage, let playhead, let start = playhead.startedAt else { return nil }
        let (pattern, bpm) = (edited.document.pattern, sync.status.bpm)
        let length = pattern.duration(ofSongStep: playhead.songStep, step: playhead.step, bpm: bpm)
        let share = min(max(0, (now - start) / length), 0.999)
        return passage.heardStep(of: track, share: share, swing: pattern.swing)
    }

    /// Draws the transport as it is now; the clock's notices say when a step is first heard.
    private func show() {
        switch status.state {
        case .stopped: (playhead, pulse, passage) = (nil, nil, nil)
        case .playing where playhead == nil: break
        case .playing, .paused:
            if playhead?.step != status.step { playhead = Playhead(step: status.step, startedAt: nil) }
        }
        outbox.stateChanged()
    }

    // MARK: The audio driver

    /// The driver was lost: the music pauses.
    func suspend(at now: Duration) {
        owesState = false
        link.listening.forgetNotices()
        guard isPlaying else { return }
        // Waits in the ring, so that the engine does not play on before it knows what to do.
        _ = link.send(.suspend, at: now)
        endSteps()
        status.state = .paused
        resumesWithAudio = true
        show()
    }

    /// There is a driver again: the music plays on, if the loss had paused it.
    func resume(at now: Duration) {
        if resumesWithAudio {
            resumesWithAudio = false
            status.state = .playing
        }
        settle(at: now)
        link.listening.expectNotices(from: now)
        show()
    }
}

extension Pattern {
    /// From the start of a step to that of the next one.
    fileprivate func duration(ofSongStep songStep: Int, step: Int, bpm: Double) -> Duration {
        let songStep = Int64(songStep)
        let grid = SongGrid(swing: swing, loop: Loop(length: length, origin: songStep - Int64(step)))
        return .seconds((grid.position(of: songStep + 1) - grid.position(of: songStep)) * 15 / bpm)
    }
}
