import Testing

@testable import Engine

@Suite struct CounterTests {
    @Test func `a counter adds up`() {
        let counter = Counter()
        #expect(counter.value == 0)
        counter.add(3)
        counter.add(4)
        #expect(counter.value == 7)
    }

    @Test func `a peak is held until it is taken`() {
        let peak = PeakHold()
        #expect(peak.fetch() == 0)
        for level in [0.25, 1.5, 0.75] as [Float] { peak.report(level) }
        #expect(peak.fetch() == 1.5)
        #expect(peak.fetch() == 0)
        peak.report(0.125)
        #expect(peak.fetch() == 0.125)
    }
}
