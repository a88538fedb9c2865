import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// Both sides of the interface between the control thread and the callback.
@Suite struct InterfaceTests {
    @Test func `audio outputs come first in the table of ports, MIDI outputs last`() {
        let kinds = EnginePort.all.map(\.kind)
        let places: [EnginePort.Kind] = [.audioOutput, .midiInput, .midiOutput]
        #expect(kinds == places.flatMap { kind in kinds.filter { $0 == kind } })
        #expect(EnginePort.midiOut.index == kinds.firstIndex(of: .midiOutput))
        #expect(EnginePort.all.map(\.index) == Array(EnginePort.all.indices))
    }

    @Test func `without a driver scores can be published and commands sent until the ring is full`() {
        let engine = Engine(score: Score())
        for _ in 0..<1000 { engine.publish(.with([TestNote(track: .bass, note: 0, step: 0)])) }
        var sent = 0
        while engine.send(.stop, at: 0) { sent += 1 }
        #expect(sent == 256)
        #expect(engine.nextNotice() == nil)
        // A later driver carries out all of them.
        let driver = OfflineDriver(engine)
        _ = driver.record(frames: 64)
        #expect(driver.send(.play))
        #expect(driver.record(frames: 64)[.track(.bass)].onset == 0)
    }

    @Test func `only the newest score is played`() {
        let driver = OfflineDriver.playing(.with([]))
        driver.engine.publish(.with([TestNote(track: .bass, note: 0, step: 0)]))
        driver.engine.publish(.with([TestNote(track: .melody, note: 0, step: 0)]))
        let recording = driver.record(frames: 1000)
        #expect(recording[.track(.bass)].peak == 0 && recording[.track(.melody)].peak > 0)
    }

    @Test func `of unread notices the oldest are kept`() {
        let driver = OfflineDriver.playing(.with([], bpm: 300), sampleRate: 8000)
        // 20 steps a second.
        driver.render(frames: 60 * 8000, periods: [8192]) { _ in }
        guard case .transport(.playing, 0, _) = driver.engine.nextNotice() else { return #expect(Bool(false)) }
        guard case .step(let step) = driver.engine.nextNotice() else { return #expect(Bool(false)) }
        #expect(step.step == 0 && step.frame == 0)
        #expect(driver.fetchNotices().count == 1022)
    }

    @Test func `a state for which there was no room is sent as soon as there is`() {
        let driver = OfflineDriver.playing(.with([], bpm: 300), sampleRate: 8000)
        driver.render(frames: 60 * 8000, periods: [8192]) { _ in }
        #expect(driver.send(.stop))
        // Long enough for the engine to rest.
        driver.render(frames: 3 * 8000, periods: [8192]) { _ in }
        #expect(!driver.fetchNotices().map(JackFollowingTests.words).contains("stopped 0"))
        let lost = driver.engine.droppedNotices
        driver.render(frames: 800) { _ in }
        #expect(driver.fetchNotices().map(JackFollowingTests.words) == ["stopped 0"])
        driver.render(frames: 800) { _ in }
        #expect(driver.fetchNotices().isEmpty && driver.engine.droppedNotices == lost)
    }

    @Test func `nextFrame is the first frame at which a change can be heard`() {
        let driver = OfflineDriver(.with([]))
        driver.render(frames: 1000, periods: [100, 37]) { period in
            #expect(driver.engine.nextFrame == period.startFrame + Int64(period.frameCount))
        }
    }

    @Test func `the driver's own frame count shows in the notices`() {
        let engine = Engine(score: .with([], bpm: 150))
        #expect(engine.send(.play, at: 0))
        let buffers = PeriodBuffers()
        var cycle = RtCycle(
            frameCount: RtCycle.longest, startFrame: 1 << 33, startUsecs: 5_000_000, usecsPerFrame: 1e6 / 48_000,
            nowUsecs: 5_000_000)
        engine.realtime.render(cycle, buffers.ports)
        // After frames that the driver skipped, the music continues where it was.
        cycle.startFrame += 100_000
        cycle.startUsecs = 9_000_000
        engine.realtime.render(cycle, buffers.ports)
        var steps: [(Int32, Int64, UInt64)] = []
        while let notice = engine.nextNotice() {
            if case .step(let step) = notice { steps.append((step.step, step.frame, step.usecs)) }
        }
        let base = Int64(1) << 33
        let expected: [(Int32, Int64, UInt64)] = [
            (0, base, 5_000_000), (1, base + 4800, 5_100_000),
            (2, base + 100_000 + 9600 - 8192, 9_029_333), (3, base + 100_000 + 14_400 - 8192, 9_129_333),
        ]
        #expect(steps.count == expected.count)
        #expect(zip(steps, expected).allSatisfy { $0 == $1 })
        #expect(engine.nextFrame == base + 100_000 + 8192)
    }

    @Test func `a cycle longer than the memory ends the program rather than writing beyond it`() async {
        await #expect(processExitsWith: .failure) {
            let cycle = RtCycle(
                frameCount: RtCycle.longest + 1, startFrame: 0, startUsecs: 0, usecsPerFrame: 1e6 / 48_000, nowUsecs: 0)
            Engine(score: Score()).realtime.render(cycle, PeriodBuffers().ports)
        }
    }

    @Test func `times in µs only stamp notices: whatever they are, the sound is the same`() {
        func samples(usecs base: UInt64, late: UInt64) -> [UInt32] {
            let engine = Engine(score: InvarianceTests.busyScore(seed: 3))
            let buffers = PeriodBuffers()
            #expect(engine.send(.play, at: base) == true)
            return (0..<40).flatMap { period -> [UInt32] in
                let usecs = base + UInt64(period) * 5333
                let cycle = RtCycle(
                    frameCount: 256, startFrame: Int64(period) * 256, startUsecs: usecs, usecsPerFrame: 1e6 / 48_000,
                    nowUsecs: usecs + late)
                engine.render(cycle, buffers.ports)
                return (0..<256).map { buffers.samples(of: .mainLeft)[$0].bitPattern }
            }
        }
        let expected = samples(usecs: 0, late: 0)
        #expect(expected.contains { $0 != 0 } && samples(usecs: 1 << 40, late: 90_000) == expected)
    }

    @Test func `what is passed to the callback is plain memory of a known size`() {
        // Notes, motions and time.
        #expect(MemoryLayout<ScoreSlot>.stride == 32 * 48 + 1160 + 8)
        // Parameters, launches, silent tracks, counts, the end and bindings.
        #expect(MemoryLayout<RtScore>.stride == 256 * 8 + 4 * 80 + 8 + 40 + 512)
        #expect(MemoryLayout<RtCommand>.size <= 24)
        #expect(MemoryLayout<RtNotice>.size <= 96)
    }
}
