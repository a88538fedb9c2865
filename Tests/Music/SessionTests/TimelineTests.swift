import Gestures
import Grid
import Instrument
import Music
import Session
import Testing

/// A client's timeline, and players' requests to the client.
struct TimelineTests {
    /// An instrument that follows a client's timeline, and the client.
    private func rig(_ source: SyncSource = .timeline) async throws -> (Instrument, ClientID) {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.set(.syncSource, to: .choice(source)), at: .zero)
        let client = await instrument.session.connect()
        await instrument.session.setRequestListeners([client])
        return (instrument, client)
    }

    private func requests(_ session: Session) async -> [TimelineRequest] {
        await session.fetchEvents().compactMap { if case .request(_, let request) = $0 { request } else { nil } }
    }

    private func tooltips(_ session: Session) async -> [String] {
        await session.fetchEvents().compactMap { if case .tooltip(let tooltip, _) = $0 { tooltip.text } else { nil } }
    }

    @Test func `the music is at the timeline's position when it is heard, not when it is rendered`() async throws {
        let (instrument, client) = try await rig()
        let session = instrument.session
        await session.audioChanged(
            to: AudioState(status: .running, rate: 48_000, period: 480),
            timing: AudioTiming(latency: .milliseconds(30)), at: .zero)
        let timeline = Timeline(beat: 0, usecs: 100_000, bpm: 150, isPlaying: true, playingUsecs: 100_000)
        try await session.hold(timeline, by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(560))
        let steps = await session.fetchEvents().compactMap {
            if case .step(let event) = $0 { "\(event.step) at \(event.frame)" } else { nil }
        }
        // Heard at 100 ms, that is rendered at 70 ms; steps follow each other in 100 ms.
        #expect(steps == ["0 at 3360", "1 at 8160", "2 at 12960", "3 at 17760", "4 at 22560"])
        let moment = await session.playingMoment
        #expect(abs(moment.beat - (Double(moment.usecs) - 100_000) * 150 / 60e6) < 0.001 && moment.playing)
        #expect(await session.sync.following == .timeline)
        #expect(await session.sync.holder == "Link")
        #expect(await session.document.pattern.bpm == 120)
    }

    @Test func `one client at a time holds the timeline, until it releases it or disconnects`() async throws {
        let (instrument, client) = try await rig()
        let session = instrument.session
        let timeline = Timeline(beat: 0, usecs: 0, bpm: 150)
        try await session.hold(timeline, by: client, named: "Link", at: .zero)
        let other = await session.connect()
        await #expect(throws: CommandError.timelineHeld(by: "Link")) {
            try await session.hold(timeline, by: other, named: "other", at: .zero)
        }
        await #expect(throws: CommandError.timelineHeld(by: "Link")) {
            try await session.releaseTimeline(of: other, at: .zero)
        }
        await session.disconnect(other, at: .zero)
        #expect(await session.sync.holder == "Link")
        try await session.releaseTimeline(of: client, at: .zero)
        try await session.releaseTimeline(of: client, at: .zero)
        #expect(await session.sync.holder == nil)
        try await session.hold(timeline, by: other, named: "other", at: .zero)
        await session.disconnect(other, at: .zero)
        #expect(await session.sync.holder == nil)
    }

    @Test func `tempo, play and stop are requested from the holder, a loaded pattern's tempo is not`() async throws {
        let (instrument, client) = try await rig()
        let session = instrument.session
        try await session.hold(Timeline(beat: 0, usecs: 0, bpm: 150), by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(50))
        try await session.perform(.set(.tempo, to: 99), at: .milliseconds(50))
        try await session.perform(.transport(.play), at: .milliseconds(50))
        await instrument.play(from: .milliseconds(50), to: .milliseconds(100))
        #expect(await session.transport.state == .playing)
        try await session.perform(.transport(.stop), at: .milliseconds(100))
        var pattern = Pattern()
        pattern.bpm = 77
        try await session.perform(.change([.replacePattern(pattern)]), at: .milliseconds(100))
        #expect(await requests(session) == [.tempo(99), .play, .stop])
        await instrument.play(from: .milliseconds(100), to: .milliseconds(150))
        #expect(await session.sync.bpm == 150)
        #expect(await session.document.pattern.bpm == 77)
        await #expect(throws: CommandError.positionFollows(.timeline)) {
            try await session.perform(.transport(.locate(3)), at: .milliseconds(150))
        }
        // Not shared, so not requested.
        try await session.perform(.set(.syncStartStop, to: false), at: .milliseconds(150))
        try await session.perform(.transport(.play), at: .milliseconds(150))
        #expect(await requests(session).isEmpty)
    }

    @Test func `a stop between two timelines is obeyed, a repeated one is not`()
        async throws
    {
        let (instrument, client) = try await rig()
        let session = instrument.session
        func tell(_ usecs: Int64, at now: Duration) async throws {
            let timeline = Timeline(beat: 0, usecs: 0, bpm: 150, isPlaying: false, playingUsecs: usecs)
            try await session.hold(timeline, by: client, named: "Link", at: now)
        }
        try await tell(0, at: .zero)
        try await session.perform(.transport(.play), at: .milliseconds(50))
        await instrument.play(from: .milliseconds(50), to: .milliseconds(100))
        // The same stop, by clocks that drift.
        try await tell(40, at: .milliseconds(100))
        await instrument.play(from: .milliseconds(100), to: .milliseconds(200))
        #expect(await session.transport.state == .playing)
        try await tell(150_000, at: .milliseconds(200))
        await instrument.play(from: .milliseconds(200), to: .milliseconds(300))
        #expect(await session.transport.state == .stopped)
    }

    @Test func `play is requested from the holder even while we play, as its stop may be on the way`() async throws {
        let (instrument, client) = try await rig()
        let session = instrument.session
        var timeline = Timeline(beat: 0, usecs: 0, bpm: 150, isPlaying: true, playingUsecs: 0)
        try await session.hold(timeline, by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(50))
        #expect(await session.transport.state == .playing)
        try await session.perform(.transport(.play), at: .milliseconds(50))
        timeline.isPlaying = false
        timeline.playingUsecs = 40_000
        try await session.hold(timeline, by: client, named: "Link", at: .milliseconds(51))
        await instrument.play(from: .milliseconds(51), to: .milliseconds(100))
        #expect(await requests(session) == [.play])
        // The holder carries out the request.
        timeline.isPlaying = true
        timeline.playingUsecs = 60_000
        try await session.hold(timeline, by: client, named: "Link", at: .milliseconds(100))
        await instrument.play(from: .milliseconds(100), to: .milliseconds(200))
        #expect(await session.transport.state == .playing)
    }

    @Test func `the tempo cell sends requests to the holder, or shows the source if it does not listen`() async throws {
        let (instrument, client) = try await rig()
        let session = instrument.session
        try await session.hold(Timeline(beat: 0, usecs: 0, bpm: 150), by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(50))
        for milliseconds in [100, 600, 1100] {
            try await instrument.tap(27, 0, at: .milliseconds(milliseconds))
        }
        #expect(await requests(session).last == .tempo(120))
        #expect(await session.document.pattern.bpm == 120)
        await session.setRequestListeners([])
        try await instrument.tap(27, 0, at: .seconds(5))
        #expect(await tooltips(session) == ["SYNC TIME"])
        await #expect(throws: CommandError.tempoFollows(.timeline)) {
            try await session.perform(.set(.tempo, to: 99), at: .seconds(5))
        }
    }

    @Test func `a holder that leaves is reported, and its tempo becomes ours`() async throws {
        let (instrument, client) = try await rig(.automatic)
        let session = instrument.session
        let timeline = Timeline(beat: 0, usecs: 0, bpm: 150, isPlaying: true, playingUsecs: 0)
        try await session.hold(timeline, by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(500))
        #expect(await session.transport.state == .playing)
        _ = await session.fetchEvents()
        await session.disconnect(client, at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .milliseconds(800))
        #expect(await tooltips(session) == ["SYNC LOST"])
        #expect(await session.document.pattern.bpm == 150)
        #expect(await session.transport.state == .playing)
        #expect(await session.sync == SyncState(bpm: 150))
    }

    @Test(arguments: [(999.0, 249.75), (310.0, 155.0), (300.0, 300.0), (20.0, 20.0), (12.0, 24.0)])
    func `a lost tempo beyond the instrument's is halved or doubled`(lost: Double, kept: Double) async throws {
        let (instrument, client) = try await rig(.automatic)
        let session = instrument.session
        let timeline = Timeline(beat: 0, usecs: 0, bpm: lost, isPlaying: true, playingUsecs: 0)
        try await session.hold(timeline, by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(500))
        #expect(await session.sync.bpm == lost)
        await session.disconnect(client, at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .milliseconds(800))
        #expect(await session.document.pattern.bpm == kept)
        #expect(await session.sync == SyncState(bpm: kept))
    }

    /// How many frames lie between the last two steps.
    private func lastStepFrames(_ session: Session) async throws -> Int64 {
        let frames = await session.fetchEvents().compactMap {
            if case .step(let event) = $0 { event.frame } else { nil }
        }
        let last = frames.suffix(2)
        try #require(last.count == 2)
        return last[last.endIndex - 1] - last[last.startIndex]
    }

    @Test(arguments: [SyncSource.timeline, .automatic], [nil, SyncSource.own, .automatic])
    func `a tempo that is set after a holder left plays and stays, however late that is noticed`(
        followed: SyncSource, then next: SyncSource?
    ) async throws {
        // Between the two, the engine renders nothing, or something that has not reached the session.
        for unheard in [Duration.zero, .milliseconds(20)] {
            let (instrument, client) = try await rig(followed)
            let session = instrument.session
            let timeline = Timeline(beat: 0, usecs: 0, bpm: 200, isPlaying: true, playingUsecs: 0)
            try await session.hold(timeline, by: client, named: "Link", at: .zero)
            await instrument.play(from: .zero, to: .milliseconds(500))
            #expect(await session.sync.bpm == 200)
            let now = Duration.milliseconds(500) + unheard
            try await session.releaseTimeline(of: client, at: .milliseconds(500))
            await instrument.play(from: .milliseconds(500), to: now, listening: false)
            if let next { try await session.perform(.set(.syncSource, to: .choice(next)), at: now) }
            try await session.perform(.set(.tempo, to: 240), at: now)
            await instrument.play(from: now, to: .seconds(2))
            #expect(await session.document.pattern.bpm == 240)
            #expect(await session.sync.bpm == 240)
            #expect(try await lastStepFrames(session) == 3000)
        }
    }

    @Test func `setting the old tempo again after a holder left replaces the holder's tempo`()
        async throws
    {
        let (instrument, client) = try await rig(.automatic)
        let session = instrument.session
        let timeline = Timeline(beat: 0, usecs: 0, bpm: 200, isPlaying: true, playingUsecs: 0)
        try await session.hold(timeline, by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(500))
        await session.disconnect(client, at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .milliseconds(520), listening: false)
        try await session.perform(.set(.tempo, to: 120), at: .milliseconds(520))
        await instrument.play(from: .milliseconds(520), to: .seconds(2))
        #expect(await session.document.pattern.bpm == 120)
        #expect(try await lastStepFrames(session) == 6000)
    }

    @Test func `a holder's tempo stays even if nothing is followed when it leaves`() async throws {
        let (instrument, client) = try await rig(.automatic)
        let session = instrument.session
        let timeline = Timeline(beat: 0, usecs: 0, bpm: 200, isPlaying: true, playingUsecs: 0)
        try await session.hold(timeline, by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(500))
        try await session.releaseTimeline(of: client, at: .milliseconds(500))
        try await session.perform(.set(.syncSource, to: .choice(SyncSource.own)), at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .seconds(2))
        #expect(await session.document.pattern.bpm == 200)
        #expect(await session.sync.bpm == 200)
        #expect(try await lastStepFrames(session) == 3600)
    }

    @Test func `the tempo can be set as soon as the holder is gone, even if it did not listen`() async throws {
        let (instrument, client) = try await rig(.automatic)
        let session = instrument.session
        await session.setRequestListeners([])
        let timeline = Timeline(beat: 0, usecs: 0, bpm: 200, isPlaying: true, playingUsecs: 0)
        try await session.hold(timeline, by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(500))
        await #expect(throws: CommandError.tempoFollows(.timeline)) {
            try await session.perform(.set(.tempo, to: 99), at: .milliseconds(500))
        }
        try await session.releaseTimeline(of: client, at: .milliseconds(500))
        try await session.perform(.set(.tempo, to: 99), at: .milliseconds(500))
        #expect(await session.document.pattern.bpm == 99)
    }

    @Test(arguments: [true, false])
    func `a new holder's first start counts, whether the earlier holder's end was noticed or not`(isNoticed: Bool)
        async throws
    {
        let (instrument, client) = try await rig()
        let session = instrument.session
        let timeline = Timeline(beat: 0, usecs: 0, bpm: 150, isPlaying: true, playingUsecs: 0)
        try await session.hold(timeline, by: client, named: "first", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(100))
        try await session.perform(.transport(.stop), at: .milliseconds(100))
        await instrument.play(from: .milliseconds(100), to: .milliseconds(200))
        #expect(await session.transport.state == .stopped)
        try await session.releaseTimeline(of: client, at: .milliseconds(200))
        if isNoticed { await instrument.play(from: .milliseconds(200), to: .milliseconds(210)) }
        let other = await session.connect()
        try await session.hold(timeline, by: other, named: "second", at: .milliseconds(210))
        await instrument.play(from: .milliseconds(210), to: .milliseconds(400))
        #expect(await session.transport.state == .playing)
        // A new holder's first timeline can start the music, but not stop it.
        let third = await session.connect()
        try await session.releaseTimeline(of: other, at: .milliseconds(400))
        var standing = timeline
        standing.isPlaying = false
        try await session.hold(standing, by: third, named: "third", at: .milliseconds(400))
        await instrument.play(from: .milliseconds(400), to: .milliseconds(600))
        #expect(await session.transport.state == .playing)
    }

    @Test func `a timeline of what already plays, like Link's without peers, moves no step when it comes or goes`()
        async throws
    {
        let (instrument, client) = try await rig(.automatic)
        let session = instrument.session
        try await session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(500))
        let moment = await session.playingMoment
        let usecs = Int64(moment.usecs)
        let timeline = Timeline(
            beat: moment.beat, usecs: usecs, bpm: moment.bpm, isPlaying: true, playingUsecs: usecs)
        try await session.hold(timeline, by: client, named: "Link", at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .seconds(2))
        #expect(await session.sync.following == .timeline)
        await session.disconnect(client, at: .seconds(2))
        await instrument.play(from: .seconds(2), to: .seconds(4))
        #expect(await session.sync.following == .own)
        let steps = await session.fetchEvents().compactMap {
            if case .step(let event) = $0 { (event.step, event.frame) } else { nil }
        }
        #expect(steps.map(\.0) == Array(0..<32))
        #expect(steps.allSatisfy { abs($0.1 - Int64($0.0) * 6000) <= 1 })
    }

    @Test func `the timebase is released while a timeline is followed`() async throws {
        let (instrument, client) = try await rig()
        let session = instrument.session
        try await session.perform(.set(.syncLead, to: .selection(["jack"])), at: .zero)
        #expect(await session.wantsTimebase)
        try await session.hold(Timeline(beat: 0, usecs: 0, bpm: 150), by: client, named: "Link", at: .zero)
        #expect(await !session.wantsTimebase)
    }
}
