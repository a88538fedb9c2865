import Testing
import Wire

@testable import pixelboop_soak

/// Which jumps of the steps are faults.
struct StepOrderTests {
    /// Steps of a loop of 32 as they are heard.
    static func order(of steps: [Int]) -> StepOrder {
        var order = StepOrder()
        order.add(playing)
        for step in steps { order.add(StepEvent(step: step, frame: 0, usecs: 0)) }
        return order
    }

    private static let playing = InstrumentState(transport: TransportState(state: .playing, step: 0))

    @Test func `a loop that goes round is in order`() {
        let order = Self.order(of: Array(0..<32) + Array(0..<32))
        #expect(order.inOrder == 60)
        #expect(order.faults == [])
    }

    @Test(arguments: [[0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12], [0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10]])
    func `a step that is missing or comes twice is a fault`(steps: [Int]) {
        #expect(Self.order(of: steps).faults.count == 1)
    }

    @Test func `a jump that a stop explains is none, whether that is told before or after it`() {
        for isToldAfter in [false, true] {
            var order = Self.order(of: Array(0..<20))
            let stopped = InstrumentState(transport: TransportState(state: .stopped, step: 0))
            if !isToldAfter { order.add(stopped) }
            order.add(StepEvent(step: 0, frame: 0, usecs: 0))
            order.add(StepEvent(step: 1, frame: 0, usecs: 0))
            if isToldAfter { order.add(stopped) }
            order.add(Self.playing)
            for step in 2..<20 { order.add(StepEvent(step: step, frame: 0, usecs: 0)) }
            #expect(order.faults == [])
        }
    }
}
