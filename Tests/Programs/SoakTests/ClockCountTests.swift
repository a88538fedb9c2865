import Instrument
import Music
import Testing
import Wire

@testable import pixelboop_soak

/// Whether missing ticks of our MIDI clock are noticed.
struct ClockCountTests {
    /// Eleven steps of 120 ms, of which the last certain pair begins with step 4, and the given number of ticks in each
    /// pair.
    static func count(
        ticks: Int, sendsClock: Bool = true, late: UInt64 = 0, gaps: Disturbances = Disturbances(),
        meanwhile: InstrumentState? = nil
    ) -> ClockCount {
        var count = ClockCount()
        count.add(state(sendsClock))
        for step in 0...11 {
            if step == 10, let meanwhile { count.add(meanwhile) }
            count.add(StepEvent(step: step, frame: 0, usecs: start + UInt64(step) * 120_000))
        }
        for tick in 0..<ticks * 6 { count.hearTick(at: start + late + UInt64(tick) * 240_000 / UInt64(ticks)) }
        count.goOn(to: start + 10_000_000, gaps)
        return count
    }

    private static let start: UInt64 = 1_000_000

    private static func state(_ sendsClock: Bool, _ status: PlayState = .playing) -> InstrumentState {
        var state = InstrumentState(transport: TransportStatus(state: status, step: 0))
        state.sync.leading = sendsClock ? [.midi] : []
        return state
    }

    @Test(arguments: [0, 2000]) func `twelve ticks in two steps are right, up to 3 ms late`(late: UInt64) {
        let count = Self.count(ticks: 12, late: late)
        #expect(count.pairs == 1)
        #expect(count.faults == [])
    }

    @Test(arguments: [0, 6, 11, 13, 24]) func `more or fewer are a fault`(ticks: Int) {
        let count = Self.count(ticks: max(ticks, 1))
        #expect(count.pairs == 0)
        #expect(count.faults == ["\(max(ticks, 1)) ticks in two steps of 240 ms, following internal"])
    }

    @Test func `nothing is judged while no clock is sent, periods are late, or the course changes`() {
        let during = Disturbances(Self.start + 700_000...Self.start + 710_000)
        for count in [
            Self.count(ticks: 1, sendsClock: false), Self.count(ticks: 1, gaps: during),
            Self.count(ticks: 1, meanwhile: Self.state(true, .paused)),
        ] {
            #expect(count.pairs == 0)
            #expect(count.faults == [])
        }
    }
}
