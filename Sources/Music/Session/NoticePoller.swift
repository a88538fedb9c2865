import Engine
import Instrument
import Music

/// When pictures can next be sent.
public struct PictureSchedule: Sendable {
    /// The first time at which a new picture may be sent.
    var due: Duration
    /// When one will be drawn, even if nothing is heard; nil if none will.
    var next: Duration?

    public init(due: Duration, next: Duration?) {
        self.due = due
        self.next = next
    }
}

/// Decides when to poll the audio thread for notices, and keeps those that have not been heard yet.
///
/// The audio thread must not wake other threads, so it is polled, but only while notices are expected: while anybody
/// watches, when the next step is due and often enough in between for the meters; otherwise rarely, and on request.
final class NoticePoller {
    /// A launch that the audio thread has carried out.
    typealias Launch = (track: Track, done: DoneLaunch)

    /// An event that is heard at one moment.
    enum Heard {
        case step(StepNotice)
        case trackStep(TrackStepNotice)
        case earlyNote(TrackStepNotice)
        case launches([Launch])
    }

    /// After a command, and when a step is late: often enough for the display to follow the sound within 16 ms.
    private static let interval: Duration = .milliseconds(8)
    /// Between steps: often enough for the meters, which fall by a row in 150 ms, and for a step that comes sooner than
    /// predicted.
    private static let longestInterval: Duration = .milliseconds(32)
    /// While nobody watches: often enough to lose no notices.
    private static let unwatchedInterval: Duration = .milliseconds(250)
    /// A round that runs for another reason also handles what is due within this time, to save a round.
    private static let eagerness: Duration = .milliseconds(12)
    /// The longest time that a poll waits for the next picture: those of 60 a second.
    private static let longestDelay: Duration = .milliseconds(17)
    /// How early a step may be shown, because two clocks never agree exactly, and to save a round.
    private static let headStart: Duration = .milliseconds(1)
    /// How long to wait after a command for its notices and for the sound of an audition.
    private static let patience: Duration = .milliseconds(500)
    /// The longest plausible time from rendering a step to hearing it; a driver's clock that implies more is ignored.
    private static let farthest: Duration = .seconds(1)

    /// How the driver's clock relates to the session's.
    var timing = AudioTiming()
    /// Whether any client is shown the music in step with the sound.
    private(set) var isWatched = false
    /// When to poll next, nil while nothing is expected.
    private(set) var nextPoll: Duration?
    /// Whether the next poll may be late: nobody waits for an answer, or plays.
    private var canWait = false
    private var expectedUntil: Duration = .zero
    /// When the next step is heard, if the tempo stays as it is; nil without a prediction.
    private var nextStep: Duration?
    private var unheard: [(heardAt: Duration, what: Heard)] = []
    /// The number of each track's newest launch.
    private var launched = [Int64](repeating: 0, count: Track.allCases.count)
    /// Steps count only after the engine has carried out this many commands.
    private var awaitedCommands: UInt = 0

    /// Expects notices in reply to what was sent to the engine.
    func expectNotices(from now: Duration) {
        expectedUntil = now + Self.patience
        nextPoll = min(nextPoll ?? now + Self.interval, now + Self.interval)
        canWait = false
    }

    /// Drops rendered steps that will not be heard; launches take effect at once.
    func forgetNotices() {
        let launches = removeLaunches()
        unheard = launches.isEmpty ? [] : [(.zero, .launches(launches))]
        nextStep = nil
    }

    /// Drops rendered steps, and those that the engine starts before it has carried out this many commands.
    func forgetSteps(beforeCommand count: UInt) {
        awaitedCommands = count
        forgetNotices()
    }

    /// Whether there are launches that have not been heard yet.
    var hasLaunches: Bool { unheard.contains { $0.what.launches != nil } }

    /// Removes the launches that have not been heard yet.
    func removeLaunches() -> [Launch] {
        defer { unheard.removeAll { $0.what.launches != nil } }
        return unheard.flatMap { $0.what.launches ?? [] }
    }

    /// Predicts when the next step is heard.
    func expectStep(at time: Duration) {
        nextStep = time
    }

    /// Whether a round should look for notices.
    func isDue(at now: Duration) -> Bool {
        guard let nextPoll else { return false }
        return nextPoll <= now + (isForStep(nextPoll) ? .zero : Self.eagerness)
    }

    private func isForStep(_ poll: Duration) -> Bool { poll == nextStep || poll == unheard.first?.heardAt }

    /// When to poll next, if that is only for pictures. What is heard while none can be sent may wait until one can; and
    /// the meters, for a picture that is drawn anyway.
    func nextPoll(beforePictures pictures: PictureSchedule?) -> Duration? {
        guard let poll = nextPoll, canWait, let pictures else { return nextPoll }
        if poll < pictures.due { return min(pictures.due, poll + Self.longestDelay) }
        guard !isForStep(poll), let next = pictures.next else { return poll }
        return next > poll && next <= poll + Self.eagerness ? next : poll
    }

    /// Queues a step, or an early note, until it is heard, unless a later command has invalidated it.
    ///
    /// - Parameter usecs: The driver's time for which it was rendered.
    func add(_ step: Heard, renderedFor usecs: UInt64, afterCommand count: UInt, at now: Duration) {
        guard Int(bitPattern: count &- awaitedCommands) >= 0 else { return }
        unheard.append((heard(usecs, at: now), step))
    }

    /// Queues a launch until it is heard, unless it is already known.
    func add(_ launch: Launch, at now: Duration) {
        guard launch.done.number > launched[launch.track.rawValue] else { return }
        launched[launch.track.rawValue] = launch.done.number
        let heardAt = heard(launch.done.usecs, at: now)
        if let last = unheard.last, last.heardAt == heardAt, let others = last.what.launches {
            unheard[unheard.count - 1].what = .launches(others + [launch])
        } else {
            unheard.append((heardAt, .launches([launch])))
        }
    }

    /// When sound rendered for a driver's time is heard.
    private func heard(_ usecs: UInt64, at now: Duration) -> Duration {
        let time = .microseconds(Int64(clamping: usecs)) + timing.offset + timing.latency
        return time - now < Self.farthest ? time : now
    }

    /// The driver's time now.
    func driverUsecs(at now: Duration) -> UInt64 { (now - timing.offset).wholeMicroseconds }

    /// The driver's time of the sound that is heard now.
    func usecs(at now: Duration) -> UInt64 { (now - timing.offset - timing.latency).wholeMicroseconds }

    /// The oldest notice that is heard by now.
    func nextHeard(at now: Duration) -> (heardAt: Duration, what: Heard)? {
        guard let first = unheard.first, first.heardAt <= now + Self.headStart else { return nil }
        return unheard.removeFirst()
    }

    /// Decides when to poll again.
    ///
    /// - Parameters:
    ///   - isBusy: Whether the clock runs or a meter falls.
    ///   - hasInput: Whether MIDI input must be handled promptly.
    ///   - isImpatient: Whether to poll often: for traces, or until the engine has room for what it must be sent.
    func schedule(isBusy: Bool, hasInput: Bool, isImpatient: Bool, at now: Duration) {
        guard isBusy || now < expectedUntil || !unheard.isEmpty else {
            nextPoll = nil
            return
        }
        guard isWatched || hasInput || isImpatient else {
            nextPoll = now + Self.unwatchedInterval
            return
        }
        let isClose = isImpatient || now < expectedUntil || isStepLate(at: now)
        var next = now + (isClose ? Self.interval : Self.longestInterval)
        if let first = unheard.first { next = min(next, first.heardAt) }
        if let nextStep, nextStep > now { next = min(next, nextStep) }
        nextPoll = next
        canWait = !isImpatient && !hasInput && now >= expectedUntil
    }

    /// Whether a predicted step is late. After a longer delay it is no longer expected: the tempo has changed.
    private func isStepLate(at now: Duration) -> Bool {
        guard let nextStep else { return false }
        return nextStep <= now && now < nextStep + Self.patience
    }

    /// Sets whether any client is shown the music in step with the sound.
    func setWatched(_ isWatched: Bool) {
        guard isWatched != self.isWatched else { return }
        self.isWatched = isWatched
        hurry()
    }

    /// Polls in the next round, if anything is expected.
    func hurry() {
        if nextPoll != nil { (nextPoll, canWait) = (.zero, false) }
    }
}

extension NoticePoller.Heard {
    fileprivate var launches: [NoticePoller.Launch]? {
        if case .launches(let launches) = self { launches } else { nil }
    }
}

extension Session {
    /// Sets whether any client is shown the music in step with the sound. While none is, the audio thread is rarely
    /// polled.
    public func setWatched(_ isWatched: Bool) { link.poller.setWatched(isWatched) }

    /// Catches up with the audio thread, which is rarely polled while nobody watches, to answer a request.
    public func catchUp(to now: Duration) {
        guard !link.poller.isWatched else { return }
        link.poller.hurry()
        listen(at: now)
    }

    /// Polls the audio thread, if it is time.
    func listen(at now: Duration) {
        let poller = link.poller
        guard poller.isDue(at: now) else { return }
        if transportView.owesState { transportView.settle(at: now) }
        midi.poll(at: now)
        // Read before the notices: a launch in it that they do not report had no room for a notice.
        let reported = syncView.newestReport()?.launches
        pollNotices(at: now)
        if let reported { add(reported, at: now) }
        if let report = syncView.newestReport() {
            if syncView.settleLoss(in: report, at: now) { documentChanged(at: now) }
            syncView.follow(report, at: now)
        }
        while let (heardAt, heard) = poller.nextHeard(at: now) {
            switch heard {
            case .step(let step):
                recorder.hear(step.songStep)
                transportView.follow(step, heardAt: heardAt)
            case .trackStep(let step): transportView.follow(step, heardAt: heardAt)
            case .earlyNote(let note): transportView.show(early: note, heardAt: heardAt)
            case .launches(let launches): if launching.land(launches) { documentChanged(at: now) }
            }
        }
        if launching.settle(at: now) { documentChanged(at: now) }
        monitoring.poll(at: now)
        link.polled()
        let holdsOldSamples = kits.release()
        let hasInput = link.connections.haveMidiInput
        let isBusy =
            transportView.isPlaying || transportView.owesState || monitoring.isBusy
            || syncView.mayBeMoved || holdsOldSamples || hasInput
        let isImpatient =
            transportView.owesState || monitoring.isScopeWanted || transport.record || midi.isLively(at: now)
        poller.schedule(isBusy: isBusy, hasInput: hasInput, isImpatient: isImpatient, at: now)
    }

    private func add(_ launches: PerTrack<DoneLaunch>, at now: Duration) {
        for track in Track.allCases {
            link.poller.add((track, launches[track.rawValue]), at: now)
        }
    }

    private func pollNotices(at now: Duration) {
        let isSettled = link.engine.isSettled
        while let (notice, obeyedCommands) = link.engine.nextStampedNotice() {
            switch notice {
            case .step(let step):
                transportView.notice(step: Int(step.step))
                recorder.follow(step.songStep)
                catcher.follow(step.songStep)
                link.poller.add(
                    .step(step), renderedFor: step.usecs, afterCommand: obeyedCommands, at: now)
            case .trackStep(let step):
                link.poller.add(
                    .trackStep(step), renderedFor: step.usecs, afterCommand: obeyedCommands, at: now)
            case .earlyNote(let note):
                link.poller.add(
                    .earlyNote(note), renderedFor: note.usecs, afterCommand: obeyedCommands, at: now)
            case .launch(let track, let launch):
                guard let track = Track(rawValue: Int(track)) else { continue }
                link.poller.add((track, launch), at: now)
            case .transport(let state, let step, let songStep):
                transportView.notice(state, step: Int(step), songStep: songStep)
                recorder.follow(songStep, isStopped: state == .stopped)
                if state != .playing { catcher.stop() }
            case .recorded(let note): if recorder.write(note) { documentChanged(at: now) }
            case .played(let note): catcher.add(note)
            case .key(let key): catcher.add(key)
            }
        }
        if isSettled { transportView.showNoticed() }
    }
}
