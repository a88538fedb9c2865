import Testing

@testable import Control

struct ProgressPaceTests {
    @Test func `at most five reports a second go through, the first at once`() {
        var pace = ProgressPace()
        let passed = (0..<3000).map { Duration.milliseconds($0) }.filter { pace.lets(through: $0) }
        #expect(passed == (0..<15).map { .milliseconds(200 * $0) })
    }
}
