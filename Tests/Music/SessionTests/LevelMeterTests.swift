import Testing

@testable import Session

/// The level meters, without an engine.
struct LevelMeterTests {
    private let silence = [Double](repeating: -.infinity, count: 4)

    private func meters(_ level: Double) -> LevelMeters {
        var meters = LevelMeters()
        _ = meters.update(with: [level, -.infinity, -.infinity, -.infinity], at: .zero)
        return meters
    }

    @Test func `they fall twenty decibels a second`() {
        var meters = meters(-6)
        _ = meters.update(with: silence, at: .milliseconds(500))
        #expect(abs(meters.levels[0] - -16) < 1e-9)
        #expect(meters.isDecaying)
    }

    @Test func `a higher peak is shown at once`() {
        var meters = meters(-20)
        let looksDifferent = meters.update(with: [-3, -.infinity, -.infinity, -.infinity], at: .milliseconds(8))
        #expect(looksDifferent)
        #expect(meters.levels[0] == -3)
    }

    @Test(arguments: [(-36.0, true), (-36.1, false)])
    func `a level too low for any row counts as silence`(level: Double, isLit: Bool) {
        #expect(meters(level).isDecaying == isLit)
    }

    @Test func `a fall within a row looks the same`() {
        var meters = meters(-10)
        let soon = meters.update(with: silence, at: .milliseconds(50))
        let later = meters.update(with: silence, at: .milliseconds(200))
        #expect([soon, later] == [false, true])
    }
}
