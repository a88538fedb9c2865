import Instrument
import Music
import Testing
import Wire

@testable import pixelboop_soak

/// Which jumps of the steps are faults.
struct StepOrderTests {
    /// Steps of a loop of 32 as heard.
    static func order(of steps: [Int]) -> StepOrder {
        var order = StepOrder()
        order.add(playing)
        add(steps, to: &order)
        return order
    }

    /// A step every 100 ms.
    private static func add(_ steps: [Int], to order: inout StepOrder) {
        for (place, step) in steps.enumerated() {
            order.add(StepEvent(step: step, frame: 0, usecs: UInt64(place) * 100_000))
        }
    }

    private static let playing = InstrumentState(transport: TransportStatus(state: .playing, step: 0))

    @Test func `a repeated loop is in order`() {
        let order = Self.order(of: Array(0..<32) + Array(0..<32))
        #expect(order.inOrder == 60)
        #expect(order.faults == [])
    }

    @Test(arguments: [[0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12], [0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10]])
    func `a step that is missing or comes twice is a fault`(steps: [Int]) {
        #expect(Self.order(of: steps).faults.count == 1)
    }

    @Test func `a jump that a stop explains is no fault, whether the stop is reported before or after it`() {
        for isToldAfter in [false, true] {
            var order = Self.order(of: Array(0..<20))
            let stopped = InstrumentState(transport: TransportStatus(state: .stopped, step: 0))
            if !isToldAfter { order.add(stopped) }
            order.add(StepEvent(step: 0, frame: 0, usecs: 0))
            order.add(StepEvent(step: 1, frame: 0, usecs: 0))
            if isToldAfter { order.add(stopped) }
            order.add(Self.playing)
            for step in 2..<20 { order.add(StepEvent(step: step, frame: 0, usecs: 0)) }
            #expect(order.faults == [])
        }
    }

    /// A jump between 2 s and 2.1 s.
    private static let jump = Array(0...20) + Array(25..<32)

    /// What may explain the jump.
    struct Reason: Sendable {
        var following = SyncSource.midi
        var told = Disturbances()
        var late = Disturbances()
        var stopped = Disturbances()
        var excused = 1
    }

    @Test(arguments: [
        Reason(told: Disturbances(2_050_000...2_060_000)), Reason(late: Disturbances(1_000_000...2_050_000)),
        Reason(following: .timeline, late: Disturbances(2_050_000...2_050_000)),
        Reason(told: Disturbances(2_200_000...2_300_000), late: Disturbances(0...1_900_000), excused: 0),
        Reason(
            following: .own, told: Disturbances(2_050_000...2_060_000), late: Disturbances(2_050_000...2_060_000),
            excused: 0),
        Reason(following: .own, stopped: Disturbances(2_050_000...2_060_000)),
        Reason(following: .own, stopped: Disturbances(2_200_000...2_300_000), excused: 0),
    ])
    func `a jump is excused when what is followed jumps, periods are late, or the music has to stop, at that time`(
        reason: Reason
    ) {
        var order = StepOrder()
        var state = Self.playing
        state.sync.following = reason.following
        order.add(state)
        Self.add(Self.jump, to: &order)
        #expect(order.faults.count == 1)
        order.excuse(during: reason.told, stops: reason.stopped, whileFollowing: reason.late)
        #expect(order.excused == reason.excused)
        #expect(order.faults.count == 1 - reason.excused)
    }
}
