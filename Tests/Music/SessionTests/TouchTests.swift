import Gestures
import Grid
import Instrument
import Music
import Session
import Testing

/// The effects of touches on pattern, picture and events.
struct TouchTests {
    @Test func `a tap writes the row's note and shows it with its name`() async throws {
        let instrument = await Instrument()
        let before = await instrument.session.frame(at: .zero)
        let reply = try await instrument.tap(4, 7)

        #expect(reply.gesture == "tap" && reply.notes == 1)
        #expect(await instrument.session.document.pattern[.melody, 0, 0] == .normal)
        let events = await instrument.session.fetchEvents()
        #expect(events.contains(.haptic(instrument.finger, .light)))
        #expect(events.contains(.tooltip(Tooltip(text: "C4", row: 10), milliseconds: 1200)))
        let after = await instrument.session.frame(at: .milliseconds(50))
        #expect(after.number > before.number)
        #expect(after.value[4, 7] == Color(0xff0000))
    }

    @Test(arguments: [(44.0, 3.0), (4.0, 24.0), (-0.1, 3.0), (4.0, -1.0), (.infinity, 3.0), (.nan, 3.0)])
    func `a touch that starts off the grid is refused`(x: Double, y: Double) async throws {
        let instrument = await Instrument()
        await #expect(throws: CommandError.self) {
            _ = try await instrument.session.touch(
                Touch(id: 1, phase: .down, x: x, y: y), by: instrument.finger, at: .zero)
        }
        #expect(await instrument.session.nextWake == nil)
    }

    @Test func `a client that vanishes in mid touch leaves no trace`() async throws {
        let instrument = await Instrument()
        let before = await instrument.session.frame(at: .zero).value
        _ = try await instrument.session.touch(
            Touch(id: 1, phase: .down, x: 4.5, y: 7.5), by: instrument.finger, at: .zero)
        _ = try await instrument.session.touch(
            Touch(id: 1, phase: .move, x: 9.5, y: 7.5), by: instrument.finger, at: .milliseconds(20))
        #expect(await instrument.session.frame(at: .milliseconds(20)).value != before)
        await instrument.session.disconnect(instrument.finger, at: .milliseconds(40))
        #expect(await instrument.session.frame(at: .milliseconds(40)).value == before)
        #expect(await instrument.session.document == Document())
        #expect(await instrument.session.nextWake == nil)
    }

    @Test(arguments: [(1, "clear"), (2, nil)] as [(Int, String?)])
    func `a hold that is due with a touch answers its own finger, and no other`(id: Int, gesture: String?) async throws
    {
        let instrument = await Instrument()
        let (session, finger) = (instrument.session, instrument.finger)
        try await instrument.tap(4, 7)
        let places = [1: (column: 41, row: 0), 2: (column: 8, row: 5)]
        for (id, place) in places {
            let down = Touch(id: id, .down, column: place.column, row: place.row)
            _ = try await session.touch(down, by: finger, at: .seconds(1))
        }
        // Clear all was held for 600 ms, and nothing came in between.
        let move = Touch(id: id, .move, column: places[id]!.column, row: places[id]!.row)
        let reply = try await session.touch(move, by: finger, at: .milliseconds(1600))
        #expect(await session.document.pattern[.melody, 0, 0] == .off)
        #expect(reply.gesture == gesture)
    }

    @Test func `a repeated tooltip is shown longer but not sent again`() async throws {
        let instrument = await Instrument()
        try await instrument.tap(24, 0, at: .zero)
        try await instrument.tap(24, 0, at: .milliseconds(300))
        try await instrument.tap(24, 0, at: .milliseconds(600))
        let tooltips = await instrument.session.fetchEvents().filter {
            if case .tooltip = $0 { true } else { false }
        }
        #expect(
            tooltips == [
                .tooltip(Tooltip(text: "GHOSTS OFF", row: 2), milliseconds: 1200),
                .tooltip(Tooltip(text: "GHOSTS ON", row: 2), milliseconds: 1200),
                .tooltip(Tooltip(text: "GHOSTS OFF", row: 2), milliseconds: 1200),
            ])
        _ = try await instrument.session.perform(.set(.ghosts, to: true), at: .milliseconds(650))
        try await instrument.tap(24, 0, at: .milliseconds(700))
        #expect(
            await instrument.session.fetchEvents().allSatisfy {
                if case .tooltip = $0 { false } else { true }
            })
    }

    @Test func `without a server play is refused, and the grid shows that`() async throws {
        let instrument = await Instrument()
        try await instrument.tap(1, 0)
        #expect(
            await instrument.session.fetchEvents() == [
                .tooltip(Tooltip(text: "NO JACK", row: 2), milliseconds: 1200)
            ])
        #expect(await instrument.session.transport.state == .stopped)
    }

    @Test func `nothing is redrawn while nothing changes`() async throws {
        let instrument = await Instrument()
        let first = await instrument.session.frame(at: .zero)
        let due = await instrument.session.nextRedraw
        #expect(due > .zero)
        #expect(await instrument.session.frame(at: due - .milliseconds(1)).number == first.number)
    }
}
