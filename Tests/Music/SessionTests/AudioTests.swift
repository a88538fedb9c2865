import Engine
import Gestures
import Grid
import Instrument
import Music
import Rendering
import Session
import Testing

/// What the session sends to the audio thread, and receives from it.
struct AudioTests {
    private func steps(_ events: [SessionEvent]) -> [Int] {
        events.compactMap { if case .step(let event) = $0 { event.step } else { nil } }
    }

    @Test func `the display follows the clock`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.tap(5, 7)
        try await instrument.session.perform(.transport(.play), at: .seconds(1))
        await instrument.play(from: .seconds(1), to: .seconds(1) + .milliseconds(140))
        #expect(steps(await instrument.session.fetchEvents()) == [0, 1])
        #expect(await instrument.session.transport == TransportStatus(state: .playing, step: 1))
        let frame = await instrument.session.frame(at: .seconds(1) + .milliseconds(150)).value
        #expect(frame[5, 1] == Color(0xffffff))
        #expect(frame[4, 1] == Color(0x555555))
    }

    @Test func `tracks with their own length and speed are shown on their own steps, also between the whole's`()
        async throws
    {
        let instrument = await Instrument()
        await instrument.startAudio()
        var slot = SlotNotes()
        (slot.length, slot.speed) = (3, .double)
        try await instrument.session.perform(.change([.edit([Slot(.bass, 0): slot])]), at: .zero)
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(330))
        let heard = await instrument.session.fetchEvents().compactMap { event -> String? in
            guard case .step(let event) = event else { return nil }
            return "\(event.step) \(event.tracks[.bass] ?? event.step) \(event.tracks.count) \(event.frame)"
        }
        // A sixteenth is 6000 frames.
        let start = Int64(heard.first?.split(separator: " ").last ?? "") ?? 0
        let expected = [(0, 0), (0, 1), (1, 2), (1, 0), (2, 1), (2, 2)].enumerated().map { place, steps in
            "\(steps.0) \(steps.1) \(steps.0 == steps.1 ? 0 : 1) \(start + 3000 * Int64(place))"
        }
        #expect(heard == expected)
        let frame = await instrument.session.frame(at: .milliseconds(330)).value
        #expect(frame[Layout.column(ofStep: 2), 14] != frame[Layout.column(ofStep: 1), 14])
    }

    @Test func `a step is shown when it is heard not when it is rendered`() async throws {
        let instrument = await Instrument()
        await instrument.session.audioChanged(
            to: AudioState(status: .running), timing: AudioTiming(latency: .milliseconds(100)), at: .zero)
        instrument.prepare()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(90))
        #expect(steps(await instrument.session.fetchEvents()).isEmpty)
        await instrument.play(from: .milliseconds(90), to: .milliseconds(120))
        #expect(steps(await instrument.session.fetchEvents()) == [0])
    }

    @Test func `a command that changes nothing leaves the display at the step that is heard`() async throws {
        let instrument = await Instrument()
        await instrument.session.audioChanged(
            to: AudioState(status: .running), timing: AudioTiming(latency: .milliseconds(100)), at: .zero)
        instrument.prepare()
        var slot = SlotNotes()
        slot.speed = .double
        try await instrument.session.perform(.change([.edit([Slot(.bass, 0): slot])]), at: .zero)
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(260))
        // The engine has begun step 2; step 1 is heard from 225 to 350 ms.
        try await instrument.session.perform(.transport(.play), at: .milliseconds(260))
        await instrument.play(from: .milliseconds(260), to: .milliseconds(280))
        #expect(await instrument.session.transport == TransportStatus(state: .playing, step: 1))
        await instrument.play(from: .milliseconds(280), to: .milliseconds(400))
        let heard = await instrument.session.fetchEvents().compactMap { event -> String? in
            if case .step(let event) = event { "step \(event.step) at \(event.frame)" } else { nil }
        }
        #expect(heard == ["step 0 at 0", "step 0 at 3000", "step 1 at 6000", "step 1 at 9000", "step 2 at 12000"])
    }

    @Test func `when a playing loop is shortened, the step shown is within it at once`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.set(.length, to: 32), at: .zero)
        try await instrument.session.perform(.transport(.locate(20)), at: .zero)
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(30))
        #expect(await instrument.session.transport.step == 20)
        try await instrument.session.perform(.set(.length, to: 16), at: .milliseconds(30))
        await instrument.play(from: .milliseconds(30), to: .milliseconds(50))
        #expect(await instrument.session.transport == TransportStatus(state: .playing, step: 4))
    }

    @Test func `a changed latency applies to the steps after it`() async throws {
        let instrument = await Instrument()
        let running = AudioState(status: .running)
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(100))
        #expect(steps(await instrument.session.fetchEvents()) == [0])
        await instrument.session.audioChanged(
            to: running, timing: AudioTiming(latency: .milliseconds(60)), at: .milliseconds(100))
        // Step 1 starts after 125 ms, and is heard after 185.
        await instrument.play(from: .milliseconds(100), to: .milliseconds(180))
        #expect(steps(await instrument.session.fetchEvents()).isEmpty)
        await instrument.play(from: .milliseconds(180), to: .milliseconds(240))
        #expect(steps(await instrument.session.fetchEvents()) == [1])
        await instrument.session.audioChanged(to: running, at: .milliseconds(240))
        await instrument.play(from: .milliseconds(240), to: .milliseconds(270))
        #expect(steps(await instrument.session.fetchEvents()) == [2])
    }

    @Test func `a step that a stop cut off before it was polled is not shown after the next start`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(10), listening: false)
        try await instrument.session.perform(.transport(.stop), at: .milliseconds(10))
        try await instrument.session.perform(.transport(.play), at: .milliseconds(10))
        await instrument.play(from: .milliseconds(10), to: .milliseconds(50))
        let frames = await instrument.session.fetchEvents().compactMap { event in
            if case .step(let event) = event { event.frame } else { nil }
        }
        #expect(frames == [480])
    }

    /// Whether the session has polled before the commands in `frames(after:in:)`, and the latency.
    private struct Listener {
        var latency = Duration.zero
        var hasLooked = false
    }

    /// Plays for 0.2 s, steps 0 and 1, and sends commands that the engine carries out 50 ms later.
    ///
    /// - Returns: The frames of the steps that are published after the commands returned.
    private func frames(after requests: [TransportRequest], in listener: Listener) async throws -> [Int64] {
        let instrument = await Instrument()
        let session = instrument.session
        await instrument.startAudio()
        await session.audioChanged(
            to: AudioState(status: .running), timing: AudioTiming(latency: listener.latency), at: .zero)
        try await session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(200), listening: false)
        if listener.hasLooked { await session.advance(to: .milliseconds(130)) }
        for request in requests { try await session.perform(.transport(request), at: .milliseconds(200)) }
        for moment in [208, 240] { await session.advance(to: .milliseconds(moment)) }
        await instrument.play(from: .milliseconds(250), to: .milliseconds(290))
        return await session.fetchEvents().compactMap { event in
            if case .step(let event) = event { event.frame } else { nil }
        }
    }

    @Test(
        arguments: [
            ([TransportRequest.stop], []), ([.pause], []), ([.toggle], []), ([.stop, .play], [12_000]),
            ([.toggle, .toggle], [12_000]), ([.pause, .play], [12_000]), ([.locate(5)], [12_000]),
            ([.stop, .locate(5), .play], [12_000]),
        ],
        [
            Listener(), Listener(hasLooked: true), Listener(latency: .milliseconds(20), hasLooked: true),
            Listener(latency: .milliseconds(30)),
        ])
    private func `after a stop, a start or a relocation returns, no earlier step is published`(
        command: ([TransportRequest], [Int64]), listener: Listener
    ) async throws {
        #expect(try await frames(after: command.0, in: listener) == command.1)
    }

    @Test func `a start while it plays drops no step`() async throws {
        // The 50 ms without a cycle count as time that passed: step 2 starts when they are over.
        #expect(try await frames(after: [.play], in: Listener()) == [0, 6000, 12_000])
    }

    @Test func `when a lost driver is back, no step from before is published`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(200), listening: false)
        await instrument.loseAudio(at: .milliseconds(200))
        await instrument.startAudio(at: .milliseconds(300))
        await instrument.session.advance(to: .milliseconds(310))
        #expect(steps(await instrument.session.fetchEvents()).isEmpty)
        await instrument.play(from: .milliseconds(310), to: .milliseconds(330))
        #expect(steps(await instrument.session.fetchEvents()).count == 1)
    }

    @Test func `a step from a driver with another clock is shown at once`() async throws {
        let instrument = await Instrument()
        await instrument.session.audioChanged(
            to: AudioState(status: .running), timing: AudioTiming(offset: .seconds(3600)), at: .zero)
        instrument.prepare()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(30))
        #expect(steps(await instrument.session.fetchEvents()) == [0])
    }

    @Test func `reading the clock of a driver that was lost meanwhile does not revive it`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(300))
        await instrument.loseAudio(at: .milliseconds(300))
        let (lost, revision) = await (instrument.session.audio, instrument.session.stateRevision)
        await instrument.session.driverClockRead(offset: .milliseconds(5), at: .milliseconds(300))
        #expect(await instrument.session.audio == lost)
        #expect(await instrument.session.stateRevision == revision)
        #expect(await instrument.session.transport.state == .paused)
    }

    @Test func `steps are shown by the last reading of the driver's clock`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        await instrument.session.driverClockRead(offset: .milliseconds(100), at: .zero)
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(90))
        #expect(steps(await instrument.session.fetchEvents()) == [])
        await instrument.play(from: .milliseconds(90), to: .milliseconds(120))
        #expect(steps(await instrument.session.fetchEvents()) == [0])
    }

    @Test func `changes of the clock are shown, no matter who asked for them`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(300))
        // Bypasses the session.
        #expect(instrument.engine.send(.pause, at: 300_000))
        await instrument.play(from: .milliseconds(300), to: .milliseconds(320))
        #expect(await instrument.session.transport == TransportStatus(state: .paused, step: 2))
        #expect(instrument.engine.send(.play, at: 320_000))
        await instrument.play(from: .milliseconds(320), to: .milliseconds(340))
        #expect(await instrument.session.transport == TransportStatus(state: .playing, step: 2))
    }

    @Test func `a notice from before a command is not shown after it`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        #expect(instrument.engine.send(.play, at: 0))
        await instrument.play(from: .zero, to: .milliseconds(10), listening: false)
        try await instrument.session.perform(.transport(.locate(7)), at: .milliseconds(10))
        await instrument.session.advance(to: .milliseconds(20))
        #expect(await instrument.session.transport == TransportStatus(state: .stopped, step: 7))
        await instrument.play(from: .milliseconds(20), to: .milliseconds(40))
        #expect(await instrument.session.transport == TransportStatus(state: .playing, step: 7))
    }

    @Test func `stop returns to the first step, pause stays on the current one`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(400))
        try await instrument.session.perform(.transport(.pause), at: .milliseconds(400))
        await instrument.play(from: .milliseconds(400), to: .milliseconds(600))
        #expect(await instrument.session.transport == TransportStatus(state: .paused, step: 3))
        try await instrument.session.perform(.transport(.play), at: .milliseconds(600))
        await instrument.play(from: .milliseconds(600), to: .milliseconds(760))
        #expect(await instrument.session.transport == TransportStatus(state: .playing, step: 4))
        try await instrument.session.perform(.transport(.stop), at: .milliseconds(760))
        #expect(await instrument.session.transport == TransportStatus(state: .stopped, step: 0))
    }

    @Test func `music that played continues when the server is back`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(300))
        await instrument.loseAudio(at: .milliseconds(300))
        #expect(await instrument.session.transport == TransportStatus(state: .paused, step: 2))
        _ = await instrument.session.fetchEvents()

        await instrument.startAudio(at: .seconds(5))
        #expect(await instrument.session.transport.state == .playing)
        await instrument.play(from: .seconds(5), to: .milliseconds(5200))
        #expect(steps(await instrument.session.fetchEvents()) == [2, 3])
    }

    /// An instrument of 16 steps that was paused on a step of the song.
    private func paused(on songStep: Int) async throws -> Instrument {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.set(.length, to: 16), at: .zero)
        try await instrument.session.perform(.set(.tempo, to: 300), at: .zero)
        try await instrument.session.perform(.transport(.play), at: .zero)
        let end = Duration.milliseconds(50 * songStep + 20)
        await instrument.play(from: .zero, to: end)
        try await instrument.session.perform(.transport(.pause), at: end)
        await instrument.play(from: end, to: end + .milliseconds(40))
        return instrument
    }

    /// The steps that are marked in row 1 and on bass, except the starts of bars.
    private func marks(_ instrument: Instrument, from start: Duration) async -> [[Int]] {
        await instrument.play(from: start, to: start + .milliseconds(40))
        let frame = await instrument.session.frame(at: start + .milliseconds(40)).value
        func steps(_ row: Int, _ color: Color) -> [Int] {
            (0..<32).filter { !$0.isMultiple(of: 8) && frame[Layout.column(ofStep: $0), row] == color }
        }
        return [steps(1, Color(0xaaaaaa)), steps(17, Color.white.over(.background, alpha: .percent(20)))]
    }

    @Test func `while paused, all rows follow the clock's step when the length changes`() async throws {
        let instrument = try await paused(on: 30)
        #expect(await marks(instrument, from: .seconds(2)) == [[14], [14]])
        try await instrument.session.perform(.set(.length, to: 12), at: .seconds(3))
        #expect(await marks(instrument, from: .seconds(3)) == [[2], [2]])
        try await instrument.session.perform(.set(.length, to: 16), at: .seconds(4))
        #expect(await marks(instrument, from: .seconds(4)) == [[2], [2]])
    }

    @Test func `while paused, tracks follow changes of length, speed and slot`() async throws {
        let instrument = try await paused(on: 14)
        var slot = SlotNotes()
        slot.length = 5
        try await instrument.session.perform(.change([.edit([Slot(.bass, 0): slot])]), at: .seconds(5))
        #expect(await marks(instrument, from: .seconds(5)) == [[14], [4]])
        (slot.length, slot.speed) = (nil, .half)
        try await instrument.session.perform(.change([.edit([Slot(.bass, 0): slot])]), at: .seconds(6))
        #expect(await marks(instrument, from: .seconds(6)) == [[14], [7]])
        try await instrument.session.perform(.launch(.launch(.track(.bass), 1, .queued)), at: .seconds(7))
        #expect(await marks(instrument, from: .seconds(7)) == [[14], [14]])
    }

    @Test(arguments: [false, true])
    func `the song continues at its step when the server is back, with the whole's loop unchanged`(
        isResizedMeanwhile: Bool
    ) async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        var slot = SlotNotes()
        slot.length = 3
        try await instrument.session.perform(.change([.edit([Slot(.bass, 0): slot])]), at: .zero)
        try await instrument.session.perform(.set(.length, to: 16), at: .zero)
        try await instrument.session.perform(.transport(.play), at: .zero)
        // Step 20 of the song is step 4 of the whole, and stays that at the new length.
        await instrument.play(from: .zero, to: .milliseconds(2520))
        if !isResizedMeanwhile { try await instrument.session.perform(.set(.length, to: 12), at: .milliseconds(2520)) }
        await instrument.play(from: .milliseconds(2520), to: .milliseconds(2560))
        await instrument.loseAudio(at: .milliseconds(2560))
        if isResizedMeanwhile { try await instrument.session.perform(.set(.length, to: 12), at: .seconds(3)) }
        #expect(await instrument.session.transport == TransportStatus(state: .paused, step: 4))
        _ = await instrument.session.fetchEvents()

        await instrument.startAudio(at: .seconds(5))
        await instrument.play(from: .seconds(5), to: .milliseconds(5200))
        let heard = await instrument.session.fetchEvents().compactMap { event in
            if case .step(let event) = event {
                [event.songStep, event.step, event.tracks[.bass] ?? event.step]
            } else {
                nil
            }
        }
        #expect(heard == [[20, 4, 2], [21, 5, 0]])
    }

    @Test func `passes continue to count when the server is back`() async throws {
        let secondOfTwo = try #require(Cycle.names.firstIndex(of: "2:2"))
        var slot = SlotNotes()
        slot[4][whole: 0] = Note(.normal, [.cycle: secondOfTwo])
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.change([.edit([Slot(.bass, 0): slot])]), at: .zero)
        try await instrument.session.perform(.set(.length, to: 8), at: .zero)
        try await instrument.session.perform(.transport(.play), at: .zero)
        // The second pass begins after a second.
        await instrument.play(from: .zero, to: .milliseconds(1060))
        await instrument.loseAudio(at: .milliseconds(1060))
        await instrument.startAudio(at: .seconds(5))
        await instrument.play(from: .seconds(5), to: .milliseconds(5490), listening: false)
        #expect(instrument.engine.fetchPeak(track: Track.bass.rawValue) == 0)
        await instrument.play(from: .milliseconds(5490), to: .milliseconds(5600), listening: false)
        #expect(instrument.engine.fetchPeak(track: Track.bass.rawValue) > 0.01)
    }

    @Test func `a transport stopped while the server was away stays stopped`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(300))
        await instrument.loseAudio(at: .milliseconds(300))
        try await instrument.session.perform(.transport(.stop), at: .seconds(1))
        await instrument.startAudio(at: .seconds(5))
        await instrument.play(from: .seconds(5), to: .milliseconds(5300))
        #expect(steps(await instrument.session.fetchEvents()).contains(3) == false)
        #expect(await instrument.session.transport == TransportStatus(state: .stopped, step: 0))
    }

    @Test func `a client connected to MIDI output and input may send our notes back`() {
        func isCircular(_ out: Set<String>, _ into: Set<String>) -> Bool {
            (["midi_out": out, "midi_in": into] as PortConnections).areMidiCircular
        }
        #expect(isCircular(["synth:in", "other:in"], ["keys:out", "synth:out"]))
        #expect(!isCircular(["synth:in"], ["keys:out"]))
        #expect(!(["midi_out": ["synth:in"]] as PortConnections).areMidiCircular)
        #expect(!PortConnections().areMidiCircular)
    }

    @Test func `an edit reports the frame from which it is heard`() async throws {
        let instrument = await Instrument()
        #expect(try await instrument.tap(4, 7).frame == nil)
        await instrument.startAudio()
        await instrument.play(from: .zero, to: .milliseconds(100))
        #expect(try await instrument.tap(5, 7, at: .milliseconds(100)).frame == 4800)
    }

    @Test func `the meters rise with the sound and fall twenty decibels a second`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        // An accented kick, auditioned at the accent threshold.
        _ = try await instrument.session.touch(
            Touch(id: 1, phase: .down, x: 4.5, y: 21.5), by: instrument.finger, at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(600))
        let lit = await instrument.session.frame(at: .milliseconds(600)).value[2, 21]
        #expect(lit == Color(0xff6b6b))
        await instrument.play(from: .milliseconds(600), to: .seconds(3))
        let dark = await instrument.session.frame(at: .seconds(3)).value[2, 21]
        #expect(dark == Color(0x111111))
    }

    @Test(arguments: [(0, true), (2, false)])
    func `a note that was auditioned while the server hung is not played when it responds`(hang: Int, isHeard: Bool)
        async throws
    {
        let instrument = await Instrument()
        await instrument.startAudio()
        _ = try await instrument.session.touch(
            Touch(id: 1, phase: .down, x: 4.5, y: 21.5), by: instrument.finger, at: .zero)
        await instrument.play(from: .seconds(hang), to: .seconds(hang) + .milliseconds(50), listening: false)
        #expect((instrument.engine.fetchPeak(track: Track.rhythm.rawValue) > 0) == isHeard)
    }

    @Test(arguments: AuditionMode.allCases, [false, true])
    func `a note that a touch is about to write sounds when the setting says so`(mode: AuditionMode, isPlaying: Bool)
        async throws
    {
        let instrument = await Instrument(audition: mode)
        await instrument.startAudio()
        if isPlaying { try await instrument.session.perform(.transport(.play), at: .zero) }
        await instrument.play(from: .zero, to: .milliseconds(100))
        _ = try await instrument.session.touch(
            Touch(id: 1, phase: .down, x: 4.5, y: 21.5), by: instrument.finger, at: .milliseconds(100))
        await instrument.play(from: .milliseconds(100), to: .milliseconds(150), listening: false)
        let isExpected =
            switch mode {
            case .always: true
            case .whenNotPlaying: !isPlaying
            case .never: false
            }
        #expect((instrument.engine.fetchPeak(track: Track.rhythm.rawValue) > 0) == isExpected)
    }

    @Test func `a silent instrument needs no wake-ups`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(300))
        try await instrument.session.perform(.transport(.stop), at: .milliseconds(300))
        await instrument.play(from: .milliseconds(300), to: .seconds(4))
        #expect(await instrument.session.nextWake == nil)
    }

    @Test func `while nobody watches, the audio thread is polled rarely`() async throws {
        let instrument = await Instrument()
        let session = instrument.session
        await instrument.startAudio()
        try await session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(300))
        #expect(await session.nextWake == .milliseconds(308))
        await session.setWatched(false)
        await session.advance(to: .milliseconds(310))
        #expect(await session.nextWake == .milliseconds(560))
        await instrument.play(from: .milliseconds(310), to: .milliseconds(520))
        #expect(await session.transport.step == 2)
        // On request it reports the current step.
        await session.catchUp(to: .milliseconds(520))
        #expect(await session.transport.step == 4)
        await instrument.play(from: .milliseconds(520), to: .milliseconds(700))
        // A new watcher is up to date within its first round.
        await session.setWatched(true)
        #expect(await session.nextWake == .zero)
        await session.advance(to: .milliseconds(701))
        #expect(await session.transport.step == 5)
    }

    @Test(arguments: [0.5, 0.6, 0.75])
    func `while it plays, the audio thread is polled when the next step is heard, and for the meters`(swing: Double)
        async throws
    {
        let instrument = await Instrument()
        let session = instrument.session
        await instrument.startAudio()
        try await session.perform(.change([.set(.swing, to: .number(swing))]), at: .zero)
        try await session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(490))
        // As the control loop does, once the command's notices have arrived.
        var (now, rendered) = (Duration.milliseconds(490), Duration.milliseconds(490))
        _ = await session.fetchEvents()
        var (heard, looks): ([Int64], Int) = ([], 0)
        while now < .seconds(2) {
            now = try #require(await session.nextWake)
            while rendered < now + .milliseconds(10) {
                await instrument.play(from: rendered, to: rendered + .milliseconds(10), listening: false)
                rendered += .milliseconds(10)
            }
            await session.advance(to: now)
            looks += 1
            for case .step(let event) in await session.fetchEvents() {
                heard.append(event.frame)
                let late = now - .seconds(Double(event.frame) / Instrument.rate)
                #expect(late >= .milliseconds(-1) && late < .milliseconds(1))
            }
        }
        #expect(heard.count == 13)
        // Steps of 125 ms, with at most four polls for the meters in between.
        #expect(looks <= 13 * 5)
    }

    @Test func `what is heard only for pictures waits for one that is close`() async throws {
        let instrument = await Instrument()
        let session = instrument.session
        await instrument.startAudio()
        try await session.perform(.transport(.play), at: .zero)
        // Just after the step at 500 ms: the next look is for the meters.
        await instrument.play(from: .zero, to: .milliseconds(510))
        let look = try #require(await session.nextWake)
        func wake(due: Int, next: Int? = nil) async -> Duration? {
            await session.nextWake(
                beforePictures: PictureSchedule(
                    due: look + .milliseconds(due), next: next.map { look + .milliseconds($0) }))
        }
        // A picture cannot be sent before it is due, however soon the step is heard.
        #expect(await wake(due: 10) == look + .milliseconds(10))
        #expect(await wake(due: 100) == look + .milliseconds(17))
        #expect(await wake(due: 0) == look)
        #expect(await wake(due: -10, next: 5) == look + .milliseconds(5))
        #expect(await wake(due: -10, next: 30) == look)
        // After a command its effect is awaited.
        try await session.perform(.transport(.pause), at: .milliseconds(510))
        let soon = try #require(await session.nextWake)
        #expect(
            await session.nextWake(beforePictures: PictureSchedule(due: soon + .milliseconds(10), next: nil)) == soon)
    }
}
