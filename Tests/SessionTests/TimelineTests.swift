import Gestures
import Grid
import Music
import Session
import Testing

/// A client's timeline, and what players ask of the client.
struct TimelineTests {
    /// An instrument that follows a client's timeline, and the client.
    private func rig(_ source: SyncSource = .timeline) async throws -> (Instrument, ClientID) {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.set(.syncSource, to: .choice(source)), at: .zero)
        let client = await instrument.session.connect()
        await instrument.session.setRequestTakers([client])
        return (instrument, client)
    }

    private func requests(_ session: Session) async -> [TimelineRequest] {
        await session.takeEvents().compactMap { if case .request(_, let request) = $0 { request } else { nil } }
    }

    private func tooltips(_ session: Session) async -> [String] {
        await session.takeEvents().compactMap { if case .tooltip(let tooltip, _) = $0 { tooltip.text } else { nil } }
    }

    @Test func `what is heard, not what is rendered, is where the timeline says`() async throws {
        let (instrument, client) = try await rig()
        let session = instrument.session
        await session.audioChanged(
            to: AudioStatus(state: .running, sampleRate: 48_000, period: 480),
            timing: AudioTiming(latency: .milliseconds(30)), at: .zero)
        let timeline = ClientTimeline(beat: 0, usecs: 100_000, bpm: 150, isPlaying: true, playingUsecs: 100_000)
        try await session.hold(timeline, by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(560))
        let steps = await session.takeEvents().compactMap {
            if case .step(let step, let frame, _) = $0 { "\(step) at \(frame)" } else { nil }
        }
        // Heard at 100 ms, that is rendered at 70 ms; steps follow each other in 100 ms.
        #expect(steps == ["0 at 3360", "1 at 8160", "2 at 12960", "3 at 17760", "4 at 22560"])
        let moment = try #require(await session.playingMoment())
        #expect(abs(moment.beat - (Double(moment.usecs) - 100_000) * 150 / 60e6) < 0.001 && moment.isPlaying)
        #expect(await session.sync.following == .timeline)
        #expect(await session.timelineHolder == "Link")
        #expect(await session.document.pattern.tempo.bpm == 120)
    }

    @Test func `one client at a time holds the timeline, until it gives it back or is gone`() async throws {
        let (instrument, client) = try await rig()
        let session = instrument.session
        let timeline = ClientTimeline(beat: 0, usecs: 0, bpm: 150)
        try await session.hold(timeline, by: client, named: "Link", at: .zero)
        let other = await session.connect()
        await #expect(throws: CommandError.timelineHeld(by: "Link")) {
            try await session.hold(timeline, by: other, named: "other", at: .zero)
        }
        await #expect(throws: CommandError.timelineHeld(by: "Link")) {
            try await session.releaseTimeline(of: other, at: .zero)
        }
        await session.disconnect(other, at: .zero)
        #expect(await session.timelineHolder == "Link")
        try await session.releaseTimeline(of: client, at: .zero)
        try await session.releaseTimeline(of: client, at: .zero)
        #expect(await session.timelineHolder == nil)
        try await session.hold(timeline, by: other, named: "other", at: .zero)
        await session.disconnect(other, at: .zero)
        #expect(await session.timelineHolder == nil)
    }

    @Test func `tempo, play and stop are asked of the holder, and a loaded pattern's tempo is not`() async throws {
        let (instrument, client) = try await rig()
        let session = instrument.session
        try await session.hold(ClientTimeline(beat: 0, usecs: 0, bpm: 150), by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(50))
        try await session.perform(.set(.tempo, to: 99), at: .milliseconds(50))
        try await session.perform(.transport(.play), at: .milliseconds(50))
        await instrument.play(from: .milliseconds(50), to: .milliseconds(100))
        #expect(await session.transport.state == .playing)
        try await session.perform(.transport(.stop), at: .milliseconds(100))
        var pattern = Pattern()
        pattern.tempo = Tempo(bpm: 77)!
        try await session.perform(.change([.replacePattern(pattern)]), at: .milliseconds(100))
        #expect(await requests(session) == [.tempo(99), .play, .stop])
        await instrument.play(from: .milliseconds(100), to: .milliseconds(150))
        #expect(await session.sync.bpm == 150)
        #expect(await session.document.pattern.tempo.bpm == 77)
        await #expect(throws: CommandError.positionFollows(.timeline)) {
            try await session.perform(.transport(.locate(3)), at: .milliseconds(150))
        }
        // Not shared: our own.
        try await session.perform(.set(.syncStartStop, to: false), at: .milliseconds(150))
        try await session.perform(.transport(.play), at: .milliseconds(150))
        #expect(await requests(session).isEmpty)
    }

    @Test func `a holder that starts and stops between two tellings is obeyed, and one that repeats itself is not`()
        async throws
    {
        let (instrument, client) = try await rig()
        let session = instrument.session
        func tell(_ usecs: Int64, at now: Duration) async throws {
            let timeline = ClientTimeline(beat: 0, usecs: 0, bpm: 150, isPlaying: false, playingUsecs: usecs)
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

    @Test func `play is asked of the holder although we play, as its stop may be on the way`() async throws {
        let (instrument, client) = try await rig()
        let session = instrument.session
        var timeline = ClientTimeline(beat: 0, usecs: 0, bpm: 150, isPlaying: true, playingUsecs: 0)
        try await session.hold(timeline, by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(50))
        #expect(await session.transport.state == .playing)
        try await session.perform(.transport(.play), at: .milliseconds(50))
        timeline.isPlaying = false
        timeline.playingUsecs = 40_000
        try await session.hold(timeline, by: client, named: "Link", at: .milliseconds(51))
        await instrument.play(from: .milliseconds(51), to: .milliseconds(100))
        #expect(await requests(session) == [.play])
        // The holder answers what it was asked for.
        timeline.isPlaying = true
        timeline.playingUsecs = 60_000
        try await session.hold(timeline, by: client, named: "Link", at: .milliseconds(100))
        await instrument.play(from: .milliseconds(100), to: .milliseconds(200))
        #expect(await session.transport.state == .playing)
    }

    @Test func `the grid offers the tempo from what plays, and says so where nobody takes it`() async throws {
        let (instrument, client) = try await rig()
        let session = instrument.session
        try await session.hold(ClientTimeline(beat: 0, usecs: 0, bpm: 150), by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(50))
        for milliseconds in [100, 600, 1100] {
            try await instrument.tap(27, 0, at: .milliseconds(milliseconds))
        }
        #expect(await requests(session).last == .tempo(120))
        #expect(await session.document.pattern.tempo.bpm == 120)
        await session.setRequestTakers([])
        try await instrument.tap(27, 0, at: .seconds(5))
        #expect(await tooltips(session) == ["SYNC TIME"])
        await #expect(throws: CommandError.tempoFollows(.timeline)) {
            try await session.perform(.set(.tempo, to: 99), at: .seconds(5))
        }
    }

    @Test func `a holder that leaves is told of, and leaves its tempo as ours`() async throws {
        let (instrument, client) = try await rig(.automatic)
        let session = instrument.session
        let timeline = ClientTimeline(beat: 0, usecs: 0, bpm: 150, isPlaying: true, playingUsecs: 0)
        try await session.hold(timeline, by: client, named: "Link", at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(500))
        #expect(await session.transport.state == .playing)
        _ = await session.takeEvents()
        await session.disconnect(client, at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .milliseconds(800))
        #expect(await tooltips(session) == ["SYNC LOST"])
        #expect(await session.document.pattern.tempo.bpm == 150)
        #expect(await session.transport.state == .playing)
        #expect(await session.sync == SyncStatus(bpm: 150))
    }

    @Test func `a timeline of what plays anyway, as of Link with no other peer, moves no step when it comes or goes`()
        async throws
    {
        let (instrument, client) = try await rig(.automatic)
        let session = instrument.session
        try await session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(500))
        let moment = try #require(await session.playingMoment())
        let usecs = Int64(moment.usecs)
        let timeline = ClientTimeline(
            beat: moment.beat, usecs: usecs, bpm: moment.bpm, isPlaying: true, playingUsecs: usecs)
        try await session.hold(timeline, by: client, named: "Link", at: .milliseconds(500))
        await instrument.play(from: .milliseconds(500), to: .seconds(2))
        #expect(await session.sync.following == .timeline)
        await session.disconnect(client, at: .seconds(2))
        await instrument.play(from: .seconds(2), to: .seconds(4))
        #expect(await session.sync.following == nil)
        let steps = await session.takeEvents().compactMap {
            if case .step(let step, let frame, _) = $0 { (step, frame) } else { nil }
        }
        #expect(steps.map(\.0) == Array(0..<32))
        #expect(steps.allSatisfy { abs($0.1 - Int64($0.0) * 6000) <= 1 })
    }

    @Test func `the timebase is given up while a timeline is followed`() async throws {
        let (instrument, client) = try await rig()
        let session = instrument.session
        try await session.perform(.set(.syncLead, to: .selection(["jack"])), at: .zero)
        #expect(await session.wantsTimebase)
        try await session.hold(ClientTimeline(beat: 0, usecs: 0, bpm: 150), by: client, named: "Link", at: .zero)
        #expect(await !session.wantsTimebase)
    }
}
