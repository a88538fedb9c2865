import Engine
import Gestures
import Grid
import Instrument
import Music
import Rendering
import Session
import Testing

/// Launches, which the session receives and the clock carries out in time.
struct LaunchTests {
    /// An instrument of 8 steps at 120 BPM, a loop of 1 s, with a bass note on step 0 of slot 1 and on step 2 of slot 3.
    func playing(from start: Duration = .zero) async throws -> Instrument {
        var pattern = Pattern()
        pattern.length = 8
        pattern[.bass, 0, 0] = .accent
        pattern[Slot(.bass, 2)] = {
            var notes = SlotNotes()
            notes[2][0] = .accent
            return notes
        }()
        let instrument = await Instrument(document: Document(pattern: pattern))
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: start)
        return instrument
    }

    func playing(_ instrument: Instrument, _ track: Track = .bass) async -> Int {
        await instrument.session.document.pattern.playing[track].number
    }

    func launches(_ instrument: Instrument) async -> [String] {
        await instrument.session.fetchEvents().compactMap { event in
            guard case .launch(let launch) = event else { return nil }
            return "\(launch.track.name) \(launch.slot) at \(launch.frame.map(String.init) ?? "no frame")"
        }
    }

    func launch(_ bank: SlotBank, _ number: Int, _ moment: LaunchMoment = .queued) -> Command {
        .launch(.launch(bank, number - 1, moment))
    }

    @Test(arguments: [
        (LaunchQuantum.loop, 1000, 48_000), (.bar, 2000, 96_000), (.beat, 500, 24_000), (.step, 120, 6000),
    ])
    func `a launch waits for its point, and is shown when it is heard`(
        quantum: LaunchQuantum, due: Int, frame: Int
    ) async throws {
        let instrument = try await playing()
        try await instrument.session.perform(.set(.launchQuantum, to: .choice(quantum)), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(60))
        try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(60))
        await instrument.play(from: .milliseconds(60), to: .milliseconds(due))
        #expect(await playing(instrument) == 1)
        #expect(await instrument.session.launches.queued(.track(.bass)) == 2)
        await instrument.play(from: .milliseconds(due), to: .milliseconds(due + 10))
        #expect(await playing(instrument) == 3)
        #expect(await instrument.session.launches == LaunchQueue())
        #expect(await launches(instrument) == ["bass 3 at \(frame)"])
    }

    @Test func `a changed quantum moves the point of queued launches`() async throws {
        let instrument = try await playing()
        await instrument.play(from: .zero, to: .milliseconds(60))
        try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(60))
        await instrument.play(from: .milliseconds(60), to: .milliseconds(260))
        try await instrument.session.perform(
            .set(.launchQuantum, to: .choice(LaunchQuantum.beat)), at: .milliseconds(260))
        await instrument.play(from: .milliseconds(260), to: .milliseconds(520))
        #expect(await launches(instrument) == ["bass 3 at 24000"])
    }

    @Test func `a slot that is launched now plays from the next step on, at the same place of the loop`() async throws {
        let instrument = try await playing()
        await instrument.play(from: .zero, to: .milliseconds(60))
        try await instrument.session.perform(launch(.track(.bass), 3, .now), at: .milliseconds(60))
        await instrument.play(from: .milliseconds(60), to: .milliseconds(140))
        #expect(await launches(instrument) == ["bass 3 at 6000"])
        #expect(await instrument.session.transport.step == 1)
    }

    @Test func `right after a jump, the way to the next launch point is the one from there`() async throws {
        let instrument = try await playing()
        try await instrument.session.perform(.set(.launchQuantum, to: .choice(LaunchQuantum.bar)), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(60))
        try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(60))
        try await instrument.session.perform(.transport(.locate(6)), at: .milliseconds(70))
        // 6 of the bar's 16 steps.
        let frame = await instrument.session.frame(at: .milliseconds(70)).value
        #expect((40...43).map { frame[$0, 1] == Color(0xaaaaaa) } == [true, true, false, false])
    }

    @Test func `slots that are launched together change in one change`() async throws {
        let instrument = try await playing()
        await instrument.play(from: .zero, to: .milliseconds(60))
        _ = await instrument.session.fetchChanges()
        try await instrument.session.perform(launch(.scenes, 3), at: .milliseconds(60))
        await instrument.play(from: .milliseconds(60), to: .milliseconds(1010))
        #expect(await instrument.session.fetchChanges() == [.launch(Slot.scene(2))])
    }

    @Test func `a chain advances in the shortest of loops while nobody watches`() async throws {
        let instrument = try await playing()
        try await instrument.session.perform(.set(.tempo, to: 300), at: .zero)
        try await instrument.session.perform(.launch(.chain(.track(.bass), [2, 4, 5])), at: .zero)
        await instrument.session.setWatched(false)
        _ = await instrument.session.fetchEvents()
        var now = Duration.zero
        while now < .seconds(4) {
            await instrument.play(from: now, to: now + .milliseconds(10), listening: false)
            now += .milliseconds(10)
            if let wake = await instrument.session.nextWake, wake <= now { await instrument.session.advance(to: now) }
        }
        // A loop of 8 steps takes 0.4 s, 19200 frames.
        let expected = (0..<10).map { "bass \([3, 5, 6][$0 % 3]) at \($0 * 19_200)" }
        #expect(await launches(instrument) == expected)
    }

    @Test func `a stopped chain continues with the link that played`() async throws {
        let instrument = try await playing()
        try await instrument.session.perform(.launch(.chain(.track(.bass), [2, 4])), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(1100))
        #expect(await playing(instrument) == 5)
        try await instrument.session.perform(.transport(.stop), at: .milliseconds(1100))
        await instrument.play(from: .milliseconds(1100), to: .milliseconds(1200))
        #expect(await playing(instrument) == 5)
        try await instrument.session.perform(.transport(.play), at: .milliseconds(1200))
        await instrument.play(from: .milliseconds(1200), to: .milliseconds(2190))
        #expect(await playing(instrument) == 5)
        await instrument.play(from: .milliseconds(2190), to: .milliseconds(2210))
        #expect(await playing(instrument) == 3)
    }

    @Test(arguments: [TransportRequest.stop, .pause])
    func `queued launches take effect at once when the clock stops`(request: TransportRequest) async throws {
        let instrument = try await playing()
        await instrument.play(from: .zero, to: .milliseconds(60))
        try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(60))
        try await instrument.session.perform(.transport(request), at: .milliseconds(100))
        #expect(await playing(instrument) == 3)
        #expect(await instrument.session.launches == LaunchQueue())
        #expect(await launches(instrument) == ["bass 3 at \(60 * 48)"])
    }

    @Test func `queued launches take effect at once when JACK is lost, and play when it is back`() async throws {
        let instrument = try await playing()
        await instrument.play(from: .zero, to: .milliseconds(60))
        try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(60))
        await instrument.loseAudio(at: .milliseconds(100))
        #expect(await playing(instrument) == 3)
        #expect(await launches(instrument) == ["bass 3 at no frame"])
        try await instrument.session.perform(launch(.track(.bass), 6), at: .milliseconds(110))
        #expect(await playing(instrument) == 6)
        await instrument.startAudio(at: .seconds(1))
        await instrument.play(from: .seconds(1), to: .seconds(3))
        #expect(await playing(instrument) == 6)
    }

    @Test func `queued launches take effect when somebody else stops JACK's transport`() async throws {
        let instrument = try await playing()
        try await instrument.session.perform(.set(.syncSource, to: .choice(SyncSource.jack)), at: .zero)
        let transport = PretendedTransport()
        transport.isRolling = true
        await instrument.play(from: .zero, to: .milliseconds(100), with: transport)
        #expect(await instrument.session.transport.state == .playing)
        try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(100))
        await instrument.play(from: .milliseconds(100), to: .milliseconds(200), with: transport)
        #expect(await playing(instrument) == 1)
        transport.isRolling = false
        await instrument.play(from: .milliseconds(200), to: .milliseconds(230), with: transport)
        #expect(await playing(instrument) == 3)
    }

    @Test func `while the music waits for an outside start, a launch takes effect at once`() async throws {
        let instrument = try await playing()
        try await instrument.session.perform(.set(.syncSource, to: .choice(SyncSource.midi)), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(50))
        try await instrument.session.perform(.transport(.stop), at: .milliseconds(50))
        await instrument.play(from: .milliseconds(50), to: .milliseconds(100))
        try await instrument.session.perform(.transport(.play), at: .milliseconds(100))
        await instrument.play(from: .milliseconds(100), to: .milliseconds(150))
        #expect(await instrument.session.transport.state == .playing)
        try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(150))
        #expect(await playing(instrument) == 3)
    }

    @Test func `a launch that is cancelled too late stands`() async throws {
        let instrument = try await playing()
        await instrument.play(from: .zero, to: .milliseconds(60))
        try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(60))
        await instrument.play(from: .milliseconds(60), to: .milliseconds(1010), listening: false)
        try await instrument.session.perform(.launch(.cancel(.scenes)), at: .milliseconds(1010))
        await instrument.play(from: .milliseconds(1010), to: .milliseconds(1400))
        #expect(await playing(instrument) == 3)
        #expect(await launches(instrument) == ["bass 3 at 48000"])
    }

    @Test func `a launch that is cancelled too late and queued again has happened`() async throws {
        let instrument = try await playing()
        await instrument.play(from: .zero, to: .milliseconds(60))
        try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(60))
        await instrument.play(from: .milliseconds(60), to: .milliseconds(1010), listening: false)
        try await instrument.session.perform(.launch(.cancel(.scenes)), at: .milliseconds(1010))
        try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(1010))
        await instrument.play(from: .milliseconds(1010), to: .milliseconds(1100))
        #expect(await playing(instrument) == 3)
        #expect(await instrument.session.launches == LaunchQueue())
        #expect(await launches(instrument) == ["bass 3 at 48000"])
    }

    @Test func `a launch that is cancelled and queued again waits for its point`() async throws {
        let instrument = try await playing()
        await instrument.play(from: .zero, to: .milliseconds(60))
        for _ in 0..<2 {
            try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(60))
            try await instrument.session.perform(.launch(.cancel(.scenes)), at: .milliseconds(60))
        }
        await instrument.play(from: .milliseconds(60), to: .milliseconds(1100))
        #expect(await playing(instrument) == 1)
        try await instrument.session.perform(launch(.track(.bass), 3), at: .milliseconds(1100))
        await instrument.play(from: .milliseconds(1100), to: .milliseconds(2100))
        #expect(await launches(instrument) == ["bass 3 at 96000"])
    }

    @Test func `a load ends queue and chains, and overrules what the clock has launched meanwhile`() async throws {
        let instrument = try await playing()
        try await instrument.session.perform(.launch(.chain(.scenes, [0, 1])), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(900))
        await instrument.play(from: .milliseconds(900), to: .milliseconds(1010), listening: false)
        try await instrument.session.perform(.change([.replacePattern(Pattern())]), at: .milliseconds(1010))
        #expect(await instrument.session.launches == LaunchQueue())
        await instrument.play(from: .milliseconds(1010), to: .seconds(6))
        #expect(await playing(instrument) == 1)
        #expect(await launches(instrument).isEmpty)
    }

    @Test(arguments: [nil, 1_767_357_296])
    func `a load of the pattern that is there, whatever its dates, ends queue and chains`(date: Int?) async throws {
        let instrument = try await playing()
        try await instrument.session.perform(.launch(.chain(.track(.bass), [2, 0])), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(500))
        #expect(await launches(instrument) == ["bass 3 at 0"])
        var pattern = await instrument.session.document.pattern
        (pattern.created, pattern.modified) = (date, date)
        try await instrument.session.perform(.change([.replacePattern(pattern)]), at: .milliseconds(500))
        #expect(await instrument.session.launches == LaunchQueue())
        await instrument.play(from: .milliseconds(500), to: .seconds(3))
        #expect(await playing(instrument) == 3)
        #expect(await launches(instrument).isEmpty)
        #expect(await instrument.session.document.history.undoCount == 0)
    }

    @Test func `a new start ends queue and chains and plays the first slots; its undo plays the earlier ones`()
        async throws
    {
        let instrument = try await playing()
        try await instrument.session.perform(launch(.track(.bass), 3, .now), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(200))
        try await instrument.session.perform(.launch(.chain(.scenes, [0, 1])), at: .milliseconds(200))
        _ = await instrument.session.fetchEvents()
        try await instrument.session.perform(.change([.startNew]), at: .milliseconds(210))
        #expect(await instrument.session.launches == LaunchQueue())
        #expect(await instrument.session.document.pattern == .ofNewInstrument)
        try await instrument.session.perform(.launch(.chain(.scenes, [5, 6])), at: .milliseconds(220))
        try await instrument.session.perform(.change([.undo]), at: .milliseconds(230))
        #expect(await instrument.session.launches == LaunchQueue())
        await instrument.play(from: .milliseconds(230), to: .seconds(3))
        #expect(await playing(instrument) == 3)
        #expect(await launches(instrument).isEmpty)
    }

    @Test func `undo, redo and other edits leave queue and chains alone`() async throws {
        let instrument = try await playing()
        try await instrument.session.perform(.launch(.chain(.scenes, [2, 3])), at: .zero)
        try await instrument.session.perform(
            .setNote(.melody, slot: 4, step: 0, note: 0, Note(.accent)), at: .milliseconds(20))
        try await instrument.session.perform(.change([.undo]), at: .milliseconds(20))
        try await instrument.session.perform(.change([.redo]), at: .milliseconds(20))
        #expect(await instrument.session.launches.chain(.scenes) == [2, 3])
        let pattern = await instrument.session.document.pattern
        #expect(pattern.isFilled(Slot(.melody, 4)) && !pattern.isFilled(Slot(.melody, 0)))
    }

    @Test func `a touch in the very moment of a launch writes into the slot that the player saw`() async throws {
        let instrument = try await playing()
        await instrument.play(from: .zero, to: .milliseconds(60))
        try await instrument.session.perform(launch(.scenes, 3), at: .milliseconds(60))
        await instrument.play(from: .milliseconds(60), to: .milliseconds(990))
        // Down before the launch is heard, up after it: a melody note and a preview that ends with the launch.
        _ = try await instrument.session.touch(
            Touch(id: 1, .down, column: 8, row: 5), by: instrument.finger, at: .milliseconds(990))
        _ = try await instrument.session.touch(
            Touch(id: 1, .move, column: 10, row: 5), by: instrument.finger, at: .milliseconds(991))
        #expect(await instrument.session.frame(at: .milliseconds(992)).value[9, 5] != Color(0x0a0a0a))
        await instrument.play(from: .milliseconds(990), to: .milliseconds(1010))
        #expect(await playing(instrument, .melody) == 3)
        #expect(await instrument.session.frame(at: .milliseconds(1012)).value[9, 5] == Color(0x0a0a0a))
        let reply = try await instrument.session.touch(
            Touch(id: 1, .up, column: 10, row: 5), by: instrument.finger, at: .milliseconds(1012))
        #expect(reply.gesture == "arpeggio" && reply.notes == 3)
        let pattern = await instrument.session.document.pattern
        #expect(pattern.isFilled(Slot(.melody, 0)) && !pattern.isFilled(Slot(.melody, 2)))
    }

    @Test func `random requests are of every kind`() {
        var random = RandomLaunches(seed: 0)
        let made = Set((0..<500).flatMap { _ in random.commands() }.map(\.kind))
        #expect(Set(Command.Kind.allCases).subtracting(made).isEmpty)
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `after any requests, and however late it polls, the session agrees with the clock`(seed: UInt64)
        async throws
    {
        var random = RandomLaunches(seed: seed)
        let instrument = try await playing()
        var now = Duration.zero
        for _ in 0..<60 {
            for command in random.commands() { try? await instrument.session.perform(command, at: now) }
            let end = now + .milliseconds(10 * random.periods())
            await instrument.play(from: now, to: end, listening: random.isAttentive())
            now = end
        }
        try await instrument.session.perform(.launch(.cancel(.scenes)), at: now)
        try await instrument.session.perform(.set(.tempo, to: 300), at: now)
        try await instrument.session.perform(.transport(.play), at: now)
        await instrument.play(from: now, to: now + .seconds(1))
        _ = await instrument.session.fetchEvents()
        // The engine plays what the session shows: the notes of a loop are those of the shown pattern.
        let pattern = await instrument.session.document.pattern
        let heard = await instrument.notes(from: now + .seconds(1), to: now + .seconds(3), steps: pattern.length)
        let shown = (0..<pattern.length).map { step in Track.allCases.map { pattern.sounding($0)[step] } }
        #expect(heard == shown)
    }
}
