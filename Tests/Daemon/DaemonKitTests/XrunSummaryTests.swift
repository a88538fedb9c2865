import Testing

@testable import DaemonKit

struct XrunSummaryTests {
    @Test func `the first xrun is reported at once, then a summary a minute until a quiet one`() {
        var summary = XrunSummary("xruns")
        #expect(summary.grew(to: 0) == nil)
        #expect(summary.grew(to: 1) == "xruns: 1 since the start")
        #expect(summary.grew(to: 2) == nil)
        #expect(summary.grew(to: 15) == nil)
        #expect(summary.minuteEnded() == "xruns: 14 more in a minute, 15 since the start")
        #expect(summary.grew(to: 16) == nil)
        #expect(summary.minuteEnded() == "xruns: 1 more in a minute, 16 since the start")
        #expect(summary.isCounting)
        #expect(summary.minuteEnded() == nil)
        #expect(!summary.isCounting)
        #expect(summary.grew(to: 20) == "xruns: 20 since the start")
    }
}
