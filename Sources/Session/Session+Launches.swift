import Engine
import Music
import Rendering

// The clock decides in the callback when a queued launch takes effect, and the session follows: a slot is shown, and edited,
// from the moment at which it is heard. While the clock does not run, a launch takes effect at once.

extension Session {
    /// Whether steps follow each other, so that launches can wait for one.
    var clockRuns: Bool { audio.state == .running && transport.state == .playing && !awaitsStart }

    /// What is to play next on each track.
    public var launches: LaunchQueue { scene.launches }

    func carryOut(_ request: LaunchRequest, at now: Duration) {
        scene.launches.take(request, playing: document.pattern.playing)
        if !clockRuns { launchQueued(at: now) }
        stateChanged()
    }

    /// Lets what is queued take effect at once if the clock has stopped.
    func settleLaunches(at now: Duration) {
        guard !clockRuns, launches.isQueued || listening.hasLaunches else { return }
        land(listening.takeLaunches(), at: now)
        launchQueued(at: now)
        documentChanged(at: now)
    }

    private func launchQueued(at now: Duration) {
        let slots = scene.launches.takeQueued()
        for slot in slots { publishedLaunches.overrule(on: slot.track) }
        let others = slots.filter { !document.pattern.playing.contains($0) }
        guard apply([.launch(slots)]) else { return }
        let frame = audio.state == .running ? engine.nextFrame : nil
        for slot in others { emit(.launch(slot, frame: frame, usecs: frame.map { _ in listening.usecs(at: now) })) }
    }

    /// Ends queue and chains: what plays was set otherwise.
    func endLaunches() {
        scene.launches.end()
        for track in Track.allCases { publishedLaunches.overrule(on: track) }
    }

    /// Shows the slots that are heard from now on, those of one moment together.
    func land(_ launches: [Listening.Launch], at now: Duration) {
        var slots: [Slot] = []
        var isNew = false
        for launch in launches {
            guard let isNext = publishedLaunches.land(launch.number, on: launch.slot.track) else { continue }
            isNew = true
            if isNext { scene.launches.launched(on: launch.slot.track) }
            guard !document.pattern.playing.contains(launch.slot) else { continue }
            slots.append(launch.slot)
            emit(.launch(launch.slot, frame: launch.frame, usecs: launch.usecs))
        }
        guard isNew else { return }
        _ = apply([.launch(slots)])
        documentChanged(at: now)
    }

    /// What the engine is to play.
    func makeScore() -> Score {
        var score = Score(document)
        publishedLaunches.write(launches, of: document, to: &score)
        return score
    }
}
