import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// Two MIDI clocks at the input, of which one is followed.
@Suite struct TwoClocksTests {
    private static let period = 48_000 * 2.5 / 120

    private func rig() -> OfflineDriver {
        var score = Score.with([], bpm: 99)
        score.sync.source = .midi
        return OfflineDriver(score)
    }

    /// Sends what several clocks send, in the order of time.
    private func send(_ events: [(frame: Double, status: UInt8)], to driver: OfflineDriver) {
        for event in events.sorted(by: { $0.frame < $1.frame }) {
            driver.receive(MidiEvent(frame: 0, event.status), at: Int64(event.frame.rounded()))
        }
    }

    /// A clock of 120 BPM: ticks, with a start before the tick `start`.
    private func clock(from frame: Double, ticks: Int, start: Int) -> [(frame: Double, status: UInt8)] {
        let ticks = (0..<ticks).map { (frame: frame + Double($0) * Self.period, status: UInt8(0xf8)) }
        return ticks + [(frame: ticks[start].frame - 60, status: 0xfa)]
    }

    @Test(arguments: [0, 0.02, 0.1, 0.25, 0.3, 0.7, 0.8, 0.95], [0, 24])
    func `a clock that is connected twice is followed once`(offset: Double, start: Int) throws {
        let driver = rig()
        let clocks = [0, offset].map { clock(from: 1000 + $0 * Self.period, ticks: 24 * 16, start: start) }
        send(clocks.flatMap(\.self), to: driver)
        driver.render(frames: Int(1000 + Double(24 * 15) * Self.period), periods: [128]) { _ in }
        let report = try #require(driver.engine.fetchReport())
        #expect(report.hasSecondClock)
        #expect(abs(report.bpm - 120) < 0.1)
        // After two beats the tempo is known; either clock may be the one that is followed.
        let steps = driver.fetchSteps().dropFirst(8)
        #expect(steps.count >= 45)
        let first = 1000 + Double(start) * Self.period
        for step in steps {
            let error = (Double(step.frame) - first) / Self.period / 6 - Double(step.step)
            let turns = (error / 32).rounded()
            let lateness = (error - 32 * turns) * 6
            #expect(min(abs(lateness), abs(lateness - offset), abs(lateness - offset + 1)) < 0.1, "\(step)")
        }
    }

    @Test func `what disconnects the second clock ends the report, and the first goes on`() throws {
        let driver = rig()
        send(clock(from: 1000, ticks: 24 * 8, start: 0) + clock(from: 1100, ticks: 24 * 4, start: 0), to: driver)
        driver.render(frames: Int(1000 + Double(24 * 4) * Self.period), periods: [256]) { _ in }
        #expect(try #require(driver.engine.fetchReport()).hasSecondClock)
        driver.render(frames: Int(Double(24 * 3) * Self.period), periods: [256]) { _ in }
        let report = try #require(driver.engine.fetchReport())
        #expect(!report.hasSecondClock)
        #expect(abs(report.bpm - 120) < 0.1)
    }

    @Test(arguments: 0..<UInt64(20))
    func `ticks of one clock that come late, together, all count`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let driver = rig()
        var late = clock(from: 1000, ticks: 24 * 16, start: 0)
        for index in 30..<24 * 16 where Int.random(in: 0..<20, using: &random) == 0 {
            // It waits for the next tick, which is on time.
            late[index].frame += Self.period * Double.random(in: 0.5...0.98, using: &random)
        }
        send(late, to: driver)
        driver.render(frames: Int(1000 + Double(24 * 16) * Self.period), periods: [64]) { _ in }
        #expect(try #require(driver.engine.fetchReport()).hasSecondClock == false)
        // The last tick is the song's 24 * 16th: its position is that of step 64, and it may be heard up to it.
        let steps = driver.fetchSteps()
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        #expect((63...64).contains(steps.count), "\(steps.count)")
    }

    @Test func `a tempo that jumps to four times as fast loses no tick`() throws {
        let driver = rig()
        let slow = clock(from: 1000, ticks: 49, start: 0)
        let turn = 1000 + 48 * Self.period
        let fast = (1...24 * 8).map { (frame: turn + Double($0) * Self.period / 4, status: UInt8(0xf8)) }
        send(slow + fast, to: driver)
        driver.render(frames: Int(turn + Double(24 * 8 - 6) * Self.period / 4), periods: [64]) { _ in }
        let steps = driver.fetchSteps()
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        // 48 slow ticks and 186 fast ones are 39 steps, and the one that starts with the first.
        #expect((39...40).contains(steps.count))
    }
}
