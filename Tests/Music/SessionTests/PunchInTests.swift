import Gestures
import Grid
import Instrument
import Music
import Session
import TestSupport
import Testing

/// Who holds the punch-ins, and for how long.
@Suite struct PunchInTests {
    /// A playing instrument, and another client, which may be on another machine.
    private func instrument(isRemote: Bool = false, plays: Bool = true) async throws -> (Instrument, other: ClientID) {
        let instrument = await Instrument()
        await instrument.startAudio()
        if plays { try await instrument.session.perform(.transport(.play), at: .zero) }
        let other = await instrument.session.connect()
        var surface = TouchSurface.cell
        surface.isRemote = isRemote
        await instrument.session.declare(surface, of: other)
        _ = await instrument.session.fetchEvents()
        return (instrument, other)
    }

    /// A finger goes down on the overview, and rests there for long enough.
    private func rest(
        _ instrument: Instrument, column: Int, row: Int = 22, id: Int = 1, by client: ClientID? = nil, at now: Duration
    ) async throws {
        let down = Touch(id: id, .down, column: column, row: row)
        _ = try await instrument.session.touch(down, by: client ?? instrument.finger, at: now)
        await instrument.session.advance(to: now + .milliseconds(200))
    }

    private func move(
        _ instrument: Instrument, to column: Int, id: Int = 1, by client: ClientID? = nil, at now: Duration
    ) async throws {
        let move = Touch(id: id, .move, column: column, row: 22)
        _ = try await instrument.session.touch(move, by: client ?? instrument.finger, at: now)
    }

    private func lift(_ instrument: Instrument, id: Int = 1, by client: ClientID? = nil, at now: Duration) async throws
    {
        let up = Touch(id: id, .up, column: 4, row: 22)
        _ = try await instrument.session.touch(up, by: client ?? instrument.finger, at: now)
    }

    /// The effects that are held.
    private func held(_ instrument: Instrument) async -> [PunchEffect] {
        let punchIns = await instrument.session.punchIns
        return PunchEffect.allCases.filter { punchIns[$0].isHeld }
    }

    private func events(_ instrument: Instrument) async -> [PunchEvent] {
        await instrument.session.fetchEvents().compactMap { event in
            if case .punch(let punch) = event { punch } else { nil }
        }
    }

    @Test func `a finger holds an effect until it is lifted, and subscribers are told`() async throws {
        let (instrument, _) = try await instrument()
        try await rest(instrument, column: 5, row: 23, at: .zero)
        let punchIn = await instrument.session.punchIns[.stutter]
        #expect(punchIn.isHeld && punchIn.number == 1 && punchIn.amount == 1.5 / 8)
        #expect(Track.allCases.map { punchIn.tracks[$0.rawValue] } == [false, false, false, true])
        #expect(await events(instrument) == [PunchEvent(effect: .stutter, amount: 1.5 / 8, tracks: [.rhythm])])
        #expect(await instrument.session.frame(at: .milliseconds(200)).value[5, 23] != .background)
        // Of the amounts in one round, the last is reported.
        for column in [6, 7] { try await move(instrument, to: column, at: .milliseconds(300)) }
        #expect(await events(instrument) == [PunchEvent(effect: .stutter, amount: 3.5 / 8, tracks: [.rhythm])])
        try await lift(instrument, at: .milliseconds(400))
        #expect(await held(instrument) == [])
        #expect(await events(instrument).last == PunchEvent(effect: .stutter))
        #expect(await instrument.session.unreleasedPunchCount == 0)
    }

    @Test func `a newer finger takes an effect over, and the older one stays inert`()
        async throws
    {
        let (instrument, other) = try await instrument()
        try await rest(instrument, column: 14, at: .zero)
        try await rest(instrument, column: 16, row: 23, by: other, at: .seconds(1))
        #expect(await instrument.session.punchIns[.filter].number == 2)
        try await move(instrument, to: 18, at: .seconds(2))
        #expect(await instrument.session.punchIns[.filter].amount == 3.5 / 8)
        try await lift(instrument, by: other, at: .seconds(3))
        #expect(await held(instrument) == [])
        try await move(instrument, to: 19, at: .seconds(4))
        #expect(await held(instrument) == [])
        try await lift(instrument, at: .seconds(5))
        try await rest(instrument, column: 14, at: .seconds(6))
        #expect(await held(instrument) == [.filter])
    }

    @Test func `the text of a finger that loses its effect goes, a lifted one's stays for a while`()
        async throws
    {
        let (instrument, other) = try await instrument()
        func tooltips() async -> [(String, Int?)] {
            await instrument.session.fetchEvents().compactMap { event in
                if case .tooltip(let tooltip, let milliseconds) = event { (tooltip.text, milliseconds) } else { nil }
            }
        }
        try await rest(instrument, column: 14, at: .zero)
        #expect(await tooltips().map(\.1) == [nil])
        _ = try await instrument.session.punchIn(
            .filter, amount: 0.3, on: Track.allCases, by: .program(other), at: .seconds(1))
        #expect(await tooltips().map(\.1) == [0])
        try await move(instrument, to: 18, at: .seconds(2))
        try await lift(instrument, at: .seconds(2))
        #expect(await tooltips().isEmpty)
        try await rest(instrument, column: 14, at: .seconds(3))
        try await lift(instrument, at: .seconds(4))
        // It is lifted on another cell.
        #expect(await tooltips().map(\.1) == [nil, nil, 1200])
    }

    @Test(arguments: [TransportRequest.stop, .pause, .toggle])
    func `stop and pause end all, and who held something must let go first`(request: TransportRequest)
        async throws
    {
        let (instrument, other) = try await instrument()
        let trigger = MidiTrigger(.controller, channel: 1, number: 20)
        try await rest(instrument, column: 14, at: .zero)
        for (effect, holder) in [(PunchEffect.stutter, PunchInHolder.program(other)), (.throw, .controller(trigger))] {
            #expect(try await instrument.session.punchIn(effect, amount: 1, on: [.bass], by: holder, at: .zero))
        }
        #expect(await held(instrument) == [.stutter, .filter, .throw])
        try await instrument.session.perform(.transport(request), at: .seconds(1))
        #expect(await held(instrument) == [])
        try await instrument.session.perform(.transport(.play), at: .seconds(2))
        try await move(instrument, to: 17, at: .seconds(2))
        for (effect, holder) in [(PunchEffect.stutter, PunchInHolder.program(other)), (.throw, .controller(trigger))] {
            #expect(
                try await !instrument.session.punchIn(effect, amount: 0.5, on: [.bass], by: holder, at: .seconds(2)))
            await instrument.session.endPunchIn(effect, by: holder)
            #expect(try await instrument.session.punchIn(effect, amount: 0.5, on: [.bass], by: holder, at: .seconds(2)))
        }
        #expect(await held(instrument) == [.stutter, .throw])
    }

    @Test func `a transport that others stop ends all`() async throws {
        let (instrument, other) = try await instrument(plays: false)
        try await instrument.session.perform(.set(.syncSource, to: .choice(SyncSource.jack)), at: .zero)
        let transport = PretendedTransport()
        transport.isRolling = true
        await instrument.play(from: .zero, to: .milliseconds(500), with: transport)
        #expect(
            try await instrument.session.punchIn(
                .brake, amount: 1, on: [.bass], by: .program(other), at: .milliseconds(500)))
        transport.isRolling = false
        await instrument.play(from: .milliseconds(500), to: .milliseconds(600), with: transport)
        #expect(await held(instrument) == [])
    }

    @Test func `a stop ends FILTER and THROW also while nothing plays`() async throws {
        let (instrument, other) = try await instrument(plays: false)
        #expect(try await instrument.session.punchIn(.throw, amount: 1, on: [.bass], by: .program(other), at: .zero))
        try await instrument.session.perform(.transport(.stop), at: .seconds(1))
        #expect(await held(instrument) == [])
    }

    @Test(arguments: PunchEffect.allCases)
    func `stopped, what needs music to play does nothing until it is let go`(effect: PunchEffect) async throws {
        let (instrument, other) = try await instrument(plays: false)
        func hold(at now: Duration) async throws -> Bool {
            try await instrument.session.punchIn(effect, amount: 1, on: [.bass], by: .program(other), at: now)
        }
        #expect(try await hold(at: .zero) == effect.actsWhileStopped)
        try await instrument.session.perform(.transport(.play), at: .seconds(1))
        #expect(try await hold(at: .seconds(1)) == effect.actsWhileStopped)
        await instrument.session.endPunchIn(effect, by: .program(other))
        #expect(try await hold(at: .seconds(1)))
    }

    @Test func `with the driver everything ends, and without one nothing begins`() async throws {
        let (instrument, other) = try await instrument()
        try await rest(instrument, column: 14, at: .zero)
        _ = try await instrument.session.punchIn(.throw, amount: 1, on: [.bass], by: .program(other), at: .zero)
        await instrument.loseAudio(at: .seconds(1))
        #expect(await held(instrument) == [])
        await #expect(throws: CommandError.noAudio("the server died")) {
            _ = try await instrument.session.punchIn(
                .brake, amount: 1, on: [.bass], by: .program(other), at: .seconds(2))
        }
        await instrument.startAudio(at: .seconds(3))
        try await move(instrument, to: 16, at: .seconds(3))
        #expect(await held(instrument) == [])
    }

    @Test func `with a client goes what it holds, and nothing else`() async throws {
        let (instrument, other) = try await instrument()
        try await rest(instrument, column: 5, by: other, at: .zero)
        try await rest(instrument, column: 14, at: .zero)
        for (effect, client) in [(PunchEffect.brake, other), (.throw, instrument.finger)] {
            _ = try await instrument.session.punchIn(effect, amount: 1, on: [.bass], by: .program(client), at: .zero)
        }
        await instrument.session.disconnect(other, at: .seconds(1))
        #expect(await held(instrument) == [.filter, .throw])
        #expect(await instrument.session.unreleasedPunchCount == 2)
    }

    @Test func `what a remote client holds ends 2 s after its last word`() async throws {
        let (instrument, remote) = try await instrument(isRemote: true)
        let session = instrument.session
        try await rest(instrument, column: 14, at: .zero)
        try await rest(instrument, column: 5, by: remote, at: .zero)
        _ = try await session.punchIn(.throw, amount: 1, on: [.bass], by: .program(remote), at: .milliseconds(500))
        await session.hear(remote, at: .seconds(1))
        await session.advance(to: .milliseconds(2999))
        #expect(await held(instrument) == [.stutter, .filter, .throw])
        #expect(await session.nextWake.map { $0 <= .seconds(3) } == true)
        await session.advance(to: .seconds(3))
        #expect(await held(instrument) == [.filter])
        // Its finger has lost the effect, but its program begins anew.
        try await move(instrument, to: 7, by: remote, at: .seconds(4))
        #expect(try await session.punchIn(.throw, amount: 1, on: [.bass], by: .program(remote), at: .seconds(4)))
        #expect(await held(instrument) == [.filter, .throw])
    }

    @Test func `each finger, program and controller is a holder of its own`() async throws {
        let (instrument, other) = try await instrument()
        let holders: [PunchInHolder] = [
            .program(other), .program(instrument.finger), .controller(MidiTrigger(.note, channel: 1, number: 60)),
            .controller(MidiTrigger(.note, channel: 1, number: 61)),
        ]
        for (index, holder) in holders.enumerated() {
            #expect(
                try await instrument.session.punchIn(
                    .brake, amount: 0.5, on: Track.allCases, by: holder, at: .seconds(index)))
            #expect(await instrument.session.punchIns[.brake].number == UInt32(index + 1))
        }
        for holder in holders.dropLast() { await instrument.session.endPunchIn(.brake, by: holder) }
        #expect(await held(instrument) == [.brake])
        await instrument.session.endPunchIn(.brake, by: holders[3])
        #expect(await held(instrument) == [])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `whatever fingers, programs and controllers do, nothing stays held`(seed: UInt64) async throws {
        var players = await RandomPunchers(seed: seed)
        for action in 0..<5000 {
            try await players.act()
            let (held, isPossible) = await players.check()
            #expect(isPossible, "seed \(seed), action \(action): \(held)")
        }
        #expect(players.heldCount > 1000)
        try await players.leave()
        let (held, _) = await players.check()
        #expect(held.isEmpty)
        #expect(await players.session.unreleasedPunchCount == 0)
    }
}
