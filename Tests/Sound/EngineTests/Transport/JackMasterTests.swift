import Engine
import OfflineAudio
import TestSupport
import Testing

/// Faults that timebase masters are known to have, which we survive.
@Suite struct JackMasterTests {
    /// Something that a master does wrong, at 150 BPM: a step has 4800 frames.
    enum Trap: CaseIterable {
        case noBarAfterLocate, nothingForACycleNowAndThen, offsetSet, beatFiveOfFour, neverCounts, tempoZero,
            tempoTenThousand, metreChanges, ticksOfBarLeftOut
        case oneTickPerBeat, beforeTheStart, notNumbers, noBeats, hugeBar

        /// What the master publishes at a frame; the true place is frame/4800.
        func bar(_ frame: Int64, cycle: Int) -> BarPosition? {
            var bar = BarPosition.ticking(max(0, frame), bpm: 150)
            switch self {
            case .noBarAfterLocate: break
            case .nothingForACycleNowAndThen: if cycle % 7 == 3 { return nil }
            case .offsetSet:
                bar = .ticking(max(0, frame - 777), bpm: 150)
                bar.frameOffset = min(frame, 777)
            case .beatFiveOfFour: if cycle % 5 == 2 { bar.beat = 5 }
            case .neverCounts: return BarPosition(bpm: 97)
            case .tempoZero: if cycle % 5 == 2 { bar.bpm = 0 }
            case .tempoTenThousand: if cycle % 5 == 2 { bar.bpm = 10_000 }
            case .oneTickPerBeat: bar = .ticking(max(0, frame), bpm: 150, ticksPerBeat: 1)
            case .beforeTheStart:
                // A bar of lead-in: bar 0 is before the start.
                bar.bar -= 1
            case .notNumbers:
                if cycle % 5 == 2 { (bar.tick, bar.bpm) = (.nan, .nan) }
                if cycle % 5 == 4 { (bar.beatsPerBar, bar.ticksPerBeat, bar.beatType) = (.nan, .infinity, .nan) }
            case .noBeats: if cycle % 5 == 2 { (bar.beatsPerBar, bar.ticksPerBeat, bar.beatType) = (0, 0, 0) }
            case .metreChanges:
                // Two bars of 1/4, then bars of 3/4.
                let beat = Int32(max(0, frame) / 19_200)
                let isLater = beat >= 2
                bar.bar = isLater ? 3 + (beat - 2) / 3 : 1 + beat
                bar.beat = isLater ? 1 + (beat - 2) % 3 : 1
                bar.beatsPerBar = isLater ? 3 : 1
                bar.barStartTick = Double(beat - bar.beat + 1) * bar.ticksPerBeat
            case .ticksOfBarLeftOut: bar.barStartTick = 0
            case .hugeBar: if cycle % 5 == 2 { bar.bar = .max }
            }
            return bar
        }

        /// How far a step may be from its place, in frames.
        var tolerance: Int64 {
            switch self {
            case .oneTickPerBeat: 256
            // It is believed until it is found out.
            case .neverCounts: 300
            default: 24
            }
        }
    }

    @Test(arguments: Trap.allCases)
    func `no step is doubled, missing or moved by a master's faults`(trap: Trap) {
        let driver = OfflineDriver(JackFollowingTests.score(bpm: trap == .neverCounts ? 150 : 60))
        let transport = SharedTransportModel(driver)
        var cycle = 0
        transport.master = {
            cycle += 1
            return trap.bar($0, cycle: cycle)
        }
        transport.blanksBar = trap == .noBarAfterLocate
        transport.start()
        driver.render(frames: 65_536, periods: [256]) { _ in }
        let steps = driver.fetchSteps()
        // Rolling since the second cycle.
        #expect(steps.count == 14)
        for (index, step) in steps.enumerated() {
            #expect(step.step == (trap == .beforeTheStart ? index + 16 : index) % 32)
            #expect(abs(step.frame - 256 - Int64(index) * 4800) <= trap.tolerance)
        }
        #expect(trap != .neverCounts || abs((steps.last?.frame ?? 0) - 256 - 13 * 4800) <= 24)
        // To step 40 and a half, with one jump and not two.
        transport.locate(40 * 4800 + 2400)
        driver.render(frames: 16_384, periods: [256]) { _ in }
        let moved = driver.fetchNotices().map(JackFollowingTests.words)
        #expect(moved.filter { $0.hasPrefix("playing") }.count == 1, "\(moved)")
    }

    @Test func `a master that leaves while the transport rolls leaves its tempo`() {
        let driver = OfflineDriver(JackFollowingTests.score(bpm: 60))
        let transport = SharedTransportModel(driver)
        transport.master = { $0 < 48_000 ? .ticking($0, bpm: 150) : nil }
        transport.roll()
        driver.render(frames: 96_000, periods: [256]) { _ in }
        let steps = driver.fetchSteps()
        #expect(steps.enumerated().allSatisfy { $1.step == $0 && abs($1.frame - Int64($0) * 4800) <= 24 })
        #expect(steps.count == 20)
        let report = driver.engine.fetchReport()
        #expect(report?.lossCount == 1 && report?.keptBpm == 150 && report?.bpm == 150)
        // The score's next tempo is ours again.
        var next = JackFollowingTests.score(bpm: 75)
        next.tempoRevision += 1
        driver.engine.publish(next)
        driver.render(frames: 256, periods: [256]) { _ in }
        #expect(driver.engine.fetchReport()?.bpm == 75)
    }

    @Test func `a master that leaves while the transport rolls leaves its place, until somebody relocates`() {
        let driver = OfflineDriver(JackFollowingTests.score(bpm: 60))
        let transport = SharedTransportModel(driver)
        // Its song began ten and a half steps before the transport's frame 0.
        transport.master = { $0 < 48_000 ? .ticking($0 + 50_400, bpm: 150) : nil }
        transport.roll()
        driver.render(frames: 96_000, periods: [256]) { _ in }
        let steps = driver.fetchSteps()
        #expect(steps.map(\.step) == Array(11..<31))
        #expect(steps.allSatisfy { abs($0.frame + 50_400 - Int64($0.step) * 4800) <= 24 })
        transport.master = nil
        transport.locate(8 * 4800)
        driver.render(frames: 5120, periods: [256]) { _ in }
        #expect(driver.fetchSteps().first?.step == 8)
    }

    @Test(arguments: [(4.0, 8.0, 300.0), (3, 4, 150), (6, 8, 300)])
    func `beats are as long as the master says`(beatsPerBar: Double, beatType: Double, bpm: Double) {
        let driver = OfflineDriver(JackFollowingTests.score())
        let transport = SharedTransportModel(driver)
        transport.master = { frame in
            let beats = Double(frame) * bpm / 60 / 48_000
            let bar = (beats / beatsPerBar).rounded(.down)
            let beat = beats - bar * beatsPerBar
            return BarPosition(
                bar: Int32(bar) + 1, beat: Int32(beat) + 1, tick: (beat - beat.rounded(.down)) * 960, isExact: true,
                beatsPerBar: beatsPerBar, beatType: beatType, ticksPerBeat: 960, bpm: bpm)
        }
        transport.roll()
        driver.render(frames: 96_000, periods: [256]) { _ in }
        #expect(driver.fetchSteps() == (0..<20).map { StartedStep(step: $0, frame: Int64($0) * 4800) })
    }
}
