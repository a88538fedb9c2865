import Grid
import Instrument
import Music
import Session
import Testing

/// How the session shows the tempo and position of others.
struct SyncTests {
    /// An instrument that follows a transport.
    private func rig(_ source: SyncSource = .jack) async throws -> (Instrument, PretendedTransport) {
        let instrument = await Instrument()
        await instrument.startAudio()
        try await instrument.session.perform(.set(.syncSource, to: .choice(source)), at: .zero)
        return (instrument, PretendedTransport())
    }

    private func tooltips(_ events: [SessionEvent]) -> [String] {
        events.compactMap { if case .tooltip(let tooltip, _) = $0 { tooltip.text } else { nil } }
    }

    @Test func `a rolling transport is followed and shown`() async throws {
        let (instrument, transport) = try await rig()
        let session = instrument.session
        (transport.isRolling, transport.bpm) = (true, 150)
        await instrument.play(from: .zero, to: .milliseconds(450), with: transport)
        #expect(await session.transport == TransportStatus(state: .playing, step: 4))
        #expect(await session.sync.following == .jack)
        #expect(await session.sync.bpm == 150)
        #expect(await session.sync.locked)
        #expect(await session.document.pattern.bpm == 120)
        // The second beat began at 400 ms.
        #expect(await session.frame(at: .milliseconds(450)).value[27, 0] == .white)
        #expect(await session.frame(at: .milliseconds(520)).value[27, 0] != .white)
        transport.isRolling = false
        await instrument.play(from: .milliseconds(450), to: .milliseconds(500), with: transport)
        #expect(await session.transport == TransportStatus(state: .paused, step: 4))
    }

    @Test func `a request to the transport is shown when it has happened`() async throws {
        let (instrument, transport) = try await rig()
        let session = instrument.session
        try await session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(20), with: transport)
        #expect(await session.transport.state == .stopped)
        transport.isRolling = true
        await instrument.play(from: .milliseconds(20), to: .milliseconds(40), with: transport)
        #expect(await session.transport.state == .playing)
        try await session.perform(.transport(.stop), at: .milliseconds(40))
        #expect(await session.transport.state == .playing)
    }

    @Test func `the tempo cannot be set while it follows, but a loaded pattern brings its own`() async throws {
        let (instrument, transport) = try await rig()
        let session = instrument.session
        (transport.isRolling, transport.bpm) = (true, 150)
        await instrument.play(from: .zero, to: .milliseconds(50), with: transport)
        for command in [Command.set(.tempo, to: 99), .tapTempo] {
            await #expect(throws: CommandError.tempoFollows(.jack)) {
                try await session.perform(command, at: .milliseconds(50))
            }
        }
        var pattern = Pattern()
        pattern.bpm = 77
        try await session.perform(.change([.replacePattern(pattern)]), at: .milliseconds(50))
        await instrument.play(from: .milliseconds(50), to: .milliseconds(100), with: transport)
        #expect(await session.sync.bpm == 150)
        // The pattern's own tempo again.
        try await session.perform(.set(.syncSource, to: .choice(SyncSource.own)), at: .milliseconds(100))
        await instrument.play(from: .milliseconds(100), to: .milliseconds(150), with: transport)
        #expect(await session.sync == SyncState(bpm: 77))
        #expect(await session.transport.state == .playing)
    }

    @Test func `a timebase master that leaves is reported, and its tempo becomes ours`() async throws {
        let (instrument, transport) = try await rig()
        let session = instrument.session
        (transport.isRolling, transport.bpm) = (true, 150)
        await instrument.play(from: .zero, to: .milliseconds(500), with: transport)
        _ = await session.fetchEvents()
        _ = await session.fetchChanges()
        transport.bpm = nil
        await instrument.play(from: .milliseconds(500), to: .milliseconds(800), with: transport)
        #expect(tooltips(await session.fetchEvents()) == ["SYNC LOST"])
        #expect(await session.fetchChanges() == [.set(.tempo, to: 150)])
        #expect(await session.transport.state == .playing)
    }

    @Test func `a varying tempo is shown four times a second`() async throws {
        let (instrument, transport) = try await rig()
        let session = instrument.session
        (transport.isRolling, transport.bpm) = (true, 150)
        await instrument.play(from: .zero, to: .milliseconds(300), with: transport)
        var shown: [Double] = []
        for tenth in 30..<130 {
            transport.bpm = 150 + Double(tenth) / 100
            await instrument.play(
                from: .milliseconds(tenth * 10), to: .milliseconds(tenth * 10 + 10), with: transport)
            let bpm = await session.sync.bpm
            if bpm != shown.last { shown.append(bpm) }
        }
        #expect((3...5).contains(shown.count))
    }

    @Test func `as timebase master we keep setting the tempo`() async throws {
        let (instrument, transport) = try await rig(.own)
        let session = instrument.session
        try await session.perform(.set(.syncLead, to: .selection(["jack"])), at: .zero)
        #expect(await session.wantsTimebase)
        (transport.isOurs, transport.isRolling) = (true, true)
        await instrument.play(from: .zero, to: .milliseconds(50), with: transport)
        #expect(await session.sync.leading == [.jack])
        #expect(await session.sync.following == .own)
        try await session.perform(.set(.tempo, to: 99), at: .milliseconds(50))
        await instrument.play(from: .milliseconds(50), to: .milliseconds(400), with: transport)
        #expect(await session.sync.bpm == 99)
        let moment = await session.playingMoment
        #expect(moment.playing && moment.bpm == 99 && moment.usecs == 400_000)
        #expect(abs(moment.beat - (0.05 * 2 + 0.35 * 99 / 60)) < 0.02)
    }
}
