import Gestures
import Grid
import Instrument
import Music
import Session
import Testing

/// How long texts stay on the grid, and what subscribers receive.
struct TooltipTests {
    private static let arpeggio = Tooltip(text: "ARPEGGIO", row: 10)

    /// A finger that went down on step 0 of the melody's lowest row and drags to the right.
    private func dragging() async throws -> Instrument {
        let instrument = await Instrument()
        try await touch(instrument, .down, 4.5, 7.5, at: .zero)
        try await touch(instrument, .move, 9.5, 7.5, at: .milliseconds(20))
        #expect(await tooltips(instrument) == [.tooltip(Self.arpeggio, milliseconds: nil)])
        return instrument
    }

    private func touch(
        _ instrument: Instrument, _ phase: TouchPhase, _ x: Double, _ y: Double, id: Int = 1, at now: Duration
    ) async throws {
        _ = try await instrument.session.touch(
            Touch(id: id, phase: phase, x: x, y: y), by: instrument.finger, at: now)
    }

    /// What subscribers received since the last call.
    private func tooltips(_ instrument: Instrument) async -> [SessionEvent] {
        await instrument.session.fetchEvents().filter { if case .tooltip = $0 { true } else { false } }
    }

    /// Whether a text of the given rows is on the grid: nothing else there is that light.
    private func isShown(_ instrument: Instrument, row: Int = 10, at now: Duration) async -> Bool {
        let frame = await instrument.session.frame(at: now).value
        return (24..<44).contains { column in
            (row..<row + 5).contains { line in
                let rgb = frame[column, line].rgb
                return [rgb >> 16, rgb >> 8, rgb].allSatisfy { $0 & 0xff > 0xd0 }
            }
        }
    }

    @Test func `a drag's text stays while the finger is down, and 1200 ms more`() async throws {
        let instrument = try await dragging()
        #expect(await isShown(instrument, at: .seconds(60)))
        try await touch(instrument, .up, 9.5, 7.5, at: .seconds(60))
        #expect(await tooltips(instrument) == [.tooltip(Self.arpeggio, milliseconds: 1200)])
        #expect(await isShown(instrument, at: .milliseconds(61_199)))
        #expect(await !isShown(instrument, at: .milliseconds(61_200)))
        #expect(await tooltips(instrument) == [])
    }

    @Test func `moves that do not change the text publish nothing`() async throws {
        let instrument = try await dragging()
        for step in 1...20 {
            try await touch(instrument, .move, 9.5 + Double(step) / 4, 7.5, at: .seconds(step))
        }
        #expect(await tooltips(instrument) == [])
        #expect(await isShown(instrument, at: .seconds(21)))
    }

    @Test func `a text that follows the finger has no timeout while it is down`() async throws {
        let instrument = await Instrument()
        try await touch(instrument, .down, 4.5, 7.5, at: .zero)
        for (row, time) in [(5.5, 20), (3.5, 3000), (3.5, 6000)] {
            try await touch(instrument, .move, 4.5, row, at: .milliseconds(time))
        }
        try await touch(instrument, .up, 4.5, 3.5, at: .seconds(9))
        #expect(
            await tooltips(instrument) == [
                .tooltip(Tooltip(text: "E4", row: 8), milliseconds: nil),
                .tooltip(Tooltip(text: "A4", row: 6), milliseconds: nil),
                .tooltip(Tooltip(text: "A4", row: 6), milliseconds: 1200),
            ])
    }

    /// What ends a drag without writing anything.
    enum Cancellation: CaseIterable {
        case cancel, disconnect, anotherDown, hiddenStep, scrub
    }

    @Test(arguments: Cancellation.allCases)
    func `the text of a drag that can no longer write is removed at once`(how: Cancellation) async throws {
        let instrument = await Instrument()
        try await touch(instrument, .down, 15.5, 7.5, at: .zero)
        try await touch(instrument, .move, 20.5, 7.5, at: .milliseconds(20))
        _ = await tooltips(instrument)
        let now = Duration.milliseconds(100)
        switch how {
        case .cancel: try await touch(instrument, .cancel, 0, 0, at: now)
        case .disconnect: await instrument.session.disconnect(instrument.finger, at: now)
        case .anotherDown: try await touch(instrument, .down, 39.5, 7.5, at: now)
        case .hiddenStep: try await instrument.session.perform(.set(.length, to: 8), at: now)
        case .scrub:
            for (x, time) in [(17.5, 110), (20.5, 120), (17.5, 130)] {
                try await touch(instrument, .move, x, 7.5, at: .milliseconds(time))
            }
        }
        #expect(await tooltips(instrument) == [.tooltip(Self.arpeggio, milliseconds: 0)])
        #expect(await !isShown(instrument, at: .milliseconds(130)))
    }

    @Test func `a newer text replaces a drag's, whose end then changes nothing`() async throws {
        let instrument = try await dragging()
        try await touch(instrument, .down, 24.5, 0.5, id: 2, at: .seconds(3))
        let ghosts = Tooltip(text: "GHOSTS OFF", row: 2)
        #expect(await tooltips(instrument) == [.tooltip(ghosts, milliseconds: 1200)])
        try await touch(instrument, .up, 9.5, 7.5, at: .seconds(4))
        // Lifting the finger counts as one more move.
        #expect(
            await tooltips(instrument) == [
                .tooltip(Self.arpeggio, milliseconds: nil), .tooltip(Self.arpeggio, milliseconds: 1200),
            ])
        let other = try await dragging()
        try await touch(other, .down, 24.5, 0.5, id: 2, at: .seconds(3))
        try await touch(other, .cancel, 0, 0, at: .seconds(4))
        #expect(await tooltips(other) == [.tooltip(ghosts, milliseconds: 1200)])
        #expect(await isShown(other, row: 2, at: .milliseconds(4199)))
    }
}
