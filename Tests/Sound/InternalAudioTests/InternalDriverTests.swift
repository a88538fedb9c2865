import Engine
import InternalAudio
import Synchronization
import TestSupport
import Testing

/// The driver with its own thread.
@Suite(.timeLimit(.minutes(1))) struct InternalDriverTests {
    /// Reads notices until one matches.
    private func notice<Value>(of engine: Engine, _ matching: (RtNotice) -> Value?) async throws -> Value {
        while true {
            if let value = engine.nextNotice().flatMap(matching) { return value }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test func `renders from start to end, and reports how it is scheduled`() async throws {
        let engine = Engine(score: Score())
        let driver = try InternalDriver(engine: engine, sampleRate: 48_000, period: 64)
        #expect(driver.statistics.cycles == 0)
        let (starts, started) = AsyncStream.makeStream(of: Int?.self)
        let running = Task { try await driver.run { started.yield($0) } }
        let priority = await starts.first { _ in true } ?? nil
        if let priority { #expect((1...60).contains(priority)) }
        try await waitUntil { driver.statistics.cycles >= 100 }
        await driver.stop()
        try await running.value
        let statistics = driver.statistics
        #expect(statistics.worstCycle > 0 && statistics.load > 0)
    }

    @Test(arguments: [(48_000, 256), (44_100, 64), (96_000, 1024)])
    func `steps start where the tempo says`(sampleRate: Int, period: Int) async throws {
        try await untilCalm { isLast in
            try await stepsAreInTime(sampleRate: sampleRate, period: period, toleratingGaps: !isLast)
        }
    }

    /// - Parameter toleratingGaps: Whether steps may be off their times if periods were skipped.
    /// - Returns: Whether none were skipped.
    private func stepsAreInTime(sampleRate: Int, period: Int, toleratingGaps: Bool) async throws -> Bool {
        let engine = Engine(score: Score())
        let driver = try InternalDriver(engine: engine, sampleRate: sampleRate, period: period)
        let running = Task { try await driver.run { _ in } }
        #expect(engine.send(.play, at: .max))
        var steps: [(frame: Int64, usecs: UInt64)] = []
        while steps.count < 9 {
            let step = try await notice(of: engine) { notice -> (frame: Int64, usecs: UInt64)? in
                if case .step(let step) = notice { (step.frame, step.usecs) } else { nil }
            }
            steps.append(step)
        }
        await driver.stop()
        try await running.value
        let isCalm = driver.statistics.gaps == 0
        if isCalm || !toleratingGaps {
            for (number, step) in steps.enumerated() {
                // 120 BPM: an eighth of a second each.
                let seconds = Double(number) / 8
                #expect(abs(Double(step.frame - steps[0].frame) - seconds * Double(sampleRate)) <= 1)
                #expect(abs(Double(step.usecs - steps[0].usecs) - seconds * 1e6) <= 1e6 / Double(sampleRate) + 2)
            }
        }
        return isCalm
    }

    @Test func `ends when its task is cancelled`() async throws {
        let driver = try InternalDriver(engine: Engine(score: Score()), sampleRate: 48_000, period: 256)
        let running = Task { try await driver.run { _ in } }
        try await waitUntil { driver.statistics.cycles > 0 }
        running.cancel()
        try await running.value
    }

    @Test func `refuses an unsupported rate`() {
        #expect(throws: UnplayableRate.self) {
            try InternalDriver(engine: Engine(score: Score()), sampleRate: 1000, period: 256)
        }
    }
}
