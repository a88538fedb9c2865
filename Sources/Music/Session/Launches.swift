import Engine
import Instrument
import Music

/// The launches that were sent to the engine, by the numbers in its notices. The links of a chain have the numbers after its
/// first launch's.
private struct PublishedLaunches {
    private struct Line {
        /// The number of the next launch.
        var issued: Int64 = 0
        /// The number of the newest launch that the document includes.
        var known: Int64 = 0
        /// The launches that were published last, from the one with that number on.
        var newest = TrackLaunches()
        /// Whether they still wait: they were neither carried out nor cancelled.
        var isPending = false
    }

    /// Between the numbers of two launches by hand: more links than anybody lives to hear.
    private static let distance: Int64 = 1 << 32

    private var lines = [Line](repeating: Line(), count: Track.allCases.count)

    /// Writes the queued launches into a score's source.
    mutating func write(_ queue: LaunchQueue, to score: inout ScoreSource) {
        for track in Track.allCases {
            number(queue[track], on: track)
            let line = lines[track.rawValue]
            score.launches[track.rawValue].known = line.known
            if line.isPending { score.launches[track.rawValue].queue(line.newest, number: line.issued) }
        }
    }

    private mutating func number(_ launches: TrackLaunches, on track: Track) {
        lines[track.rawValue].isPending = launches.next != nil
        guard launches.next != nil else { return }
        // A launch that was cancelled and is queued again keeps its number: the clock may have carried it out.
        if launches != lines[track.rawValue].newest || lines[track.rawValue].known >= lines[track.rawValue].issued {
            lines[track.rawValue].newest = launches
            lines[track.rawValue].issued = nextNumber(on: track)
        }
    }

    private func nextNumber(on track: Track) -> Int64 {
        (lines[track.rawValue].issued / Self.distance + 1) * Self.distance
    }

    /// The clock has carried out a launch, and those before it whose notices were lost.
    ///
    /// - Returns: Nil if the document has been changed since; else how many of the queue's launches were carried out.
    mutating func land(_ number: Int64, on track: Track) -> Int? {
        guard number > lines[track.rawValue].known else { return nil }
        lines[track.rawValue].known = number
        var count = 0
        while lines[track.rawValue].isPending, lines[track.rawValue].issued <= number {
            lines[track.rawValue].newest.advance()
            lines[track.rawValue].isPending = lines[track.rawValue].newest.next != nil
            lines[track.rawValue].issued += 1
            count += 1
        }
        return count
    }

    /// The document decides what plays on a track, whatever the clock has launched meanwhile.
    mutating func overrule(on track: Track) {
        lines[track.rawValue].known = nextNumber(on: track) - 1
        lines[track.rawValue].isPending = false
    }
}

/// The queued launches. The process callback decides when one takes effect, and the session follows: a slot is shown,
/// and edited, from the moment at which it is heard. While the clock does not run, a launch takes effect at once.
final class Launches {
    /// The launches that are queued on each track.
    private(set) var queue = LaunchQueue()
    private var published = PublishedLaunches()
    private var builder = ScoreBuilder()
    private let link: AudioLink
    private let edited: EditedDocument
    private let transport: TransportView
    private let sync: SyncView
    private let outbox: Outbox

    init(
        _ link: AudioLink, _ edited: EditedDocument, _ transport: TransportView, _ sync: SyncView, _ outbox: Outbox
    ) {
        self.link = link
        self.edited = edited
        self.transport = transport
        self.sync = sync
        self.outbox = outbox
    }

    /// Whether the clock advances, so that launches can wait for a step.
    var clockRuns: Bool { link.isRunning && transport.isPlaying && !sync.awaitsStart }

    /// Publishes a score.
    ///
    /// - Parameter kit: The number of the kit that plays.
    func publishScore(isFilling: Bool, kit: Double) {
        var source = ScoreSource(edited.document)
        source.parameters.leaveJack(playedBy: link.state.driver)
        source.parameters[.kit, Track.rhythm.rawValue] = kit
        source.tempoRevision = edited.tempoRevision
        source.patternRevision = edited.patternRevision
        source.isFilling = isFilling
        source.isMidiCircular = link.connections.areMidiCircular
        published.write(queue, to: &source)
        link.publish(builder.score(of: source), of: source, named: edited.document.pattern.name)
    }

    func carryOut(_ request: LaunchRequest, at now: Duration) {
        queue.accept(request, playing: edited.document.pattern.playing)
        if !clockRuns { launchQueued(at: now) }
        outbox.stateChanged()
    }

    /// Applies queued launches at once if the clock has stopped.
    ///
    /// - Returns: Whether the document changed.
    func settle(at now: Duration) -> Bool {
        guard !clockRuns, queue.isQueued || link.poller.hasLaunches else { return false }
        _ = land(link.poller.removeLaunches())
        launchQueued(at: now)
        return true
    }

    private func launchQueued(at now: Duration) {
        let slots = queue.fetchQueued()
        for slot in slots { published.overrule(on: slot.track) }
        let others = slots.filter { !edited.document.pattern.playing.contains($0) }
        guard edited.apply([.launch(slots)]) else { return }
        let frame = link.nextFrame
        let usecs = frame.map { _ in link.poller.usecs(at: now) }
        for slot in others { announce(slot, frame: frame, usecs: usecs) }
    }

    /// Ends the queue and all chains: the whole pattern was replaced.
    func end() {
        queue.end()
        for track in Track.allCases { published.overrule(on: track) }
    }

    /// Shows the slots that are heard from now on; those launched together are shown together.
    ///
    /// - Returns: Whether the document changed.
    func land(_ launches: [NoticePoller.Launch]) -> Bool {
        let before = edited.document.pattern.playing
        var playing = before
        var isNew = false
        for (track, launch) in launches {
            guard let count = published.land(launch.number, on: track) else { continue }
            isNew = true
            for _ in 0..<count { queue.launched(on: track) }
            let slot = Slot(track, Int(launch.slot))
            guard !playing.contains(slot) else { continue }
            playing.play(slot)
            announce(slot, frame: launch.frame, usecs: launch.usecs)
        }
        if isNew { _ = edited.apply([.launch(playing.all.filter { !before.contains($0) })]) }
        return isNew
    }

    private func announce(_ slot: Slot, frame: Int64?, usecs: UInt64?) {
        outbox.emit(.launch(LaunchEvent(track: slot.track, slot: slot.number, frame: frame, usecs: usecs)))
    }
}

extension ParameterBlock {
    /// Without JACK, its transport is neither followed nor led.
    mutating func leaveJack(playedBy driver: AudioDriver) {
        guard driver == .own else { return }
        if sync.source == .jack { sync.source = .own }
        sync.leadsJack = false
    }
}
