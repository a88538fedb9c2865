import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// Drums that are samples.
@Suite struct SampleTests {
    /// The value of the parameter `kit` for a kit that is not built in.
    private static let kit = Double(Track.rhythm.soundNames.count)

    private func score(_ cells: [TestNote], bpm: Double = 60) -> Score {
        var score = Score.with(cells, bpm: bpm)
        score.parameters[.kit, Track.rhythm.rawValue] = Self.kit
        return score
    }

    private func cell(_ drum: Drum, _ velocity: Velocity = .accent, step: Int = 0) -> TestNote {
        TestNote(track: .rhythm, note: drum.rawValue, step: step, velocity: velocity)
    }

    /// Samples for some drums.
    private func samples(_ samples: [Drum: [Float]]) -> [[Float]?] { Drum.allCases.map { samples[$0] } }

    /// A sine that starts and ends at zero.
    private func sine(_ frequency: Double, frames: Int, level: Float = 1) -> [Float] {
        (0..<frames).map { frame in
            let envelope = min(1, Float(frames - 1 - frame) / 480)
            return level * envelope * Float(sin(2 * .pi * frequency * Double(frame) / 48_000))
        }
    }

    private func driver(_ score: Score, _ kit: SampleKit?, sampleRate: Double = 48_000) -> OfflineDriver {
        let engine = Engine(score: score)
        engine.publish(kit)
        let driver = OfflineDriver(engine, sampleRate: sampleRate)
        driver.schedule(.command(.play), at: 0)
        return driver
    }

    private func kit(_ samples: [Drum: [Float]], sampleRate: Double = 48_000) -> SampleKit {
        SampleKit(sampleRate: sampleRate, samples: self.samples(samples))
    }

    @Test(arguments: [(Velocity.accent, Float(0.45)), (.normal, 0.225)])
    func `a sample sounds unchanged, an accent twice as loud`(velocity: Velocity, gain: Float) {
        let sample = sine(4000, frames: 4800)
        let heard = driver(score([cell(.snare, velocity)]), kit([.snare: sample])).record(frames: 6000)[.track(.rhythm)]
        // The rhythm's high-pass hardly changes so high a frequency.
        for frame in 0..<4800 { #expect(abs(heard[frame] - gain * sample[frame]) < 0.003) }
        #expect(heard[5500...].peak < 1e-3)
    }

    @Test func `a drum without a sample sounds as in 808`() {
        var reference = Score.with([cell(.kick), cell(.cowbell, step: 2)], bpm: 60)
        reference.parameters[.kit, Track.rhythm.rawValue] = 1
        let expected = OfflineDriver.playing(reference).record(seconds: 1)[.track(.rhythm)]
        let cells = [cell(.kick), cell(.cowbell, step: 2)]
        for kit in [nil, kit([:]), kit([.snare: sine(500, frames: 100)]), kit([.kick: []])] {
            #expect(driver(score(cells), kit).record(seconds: 1)[.track(.rhythm)] == expected)
        }
    }

    @Test func `samples of another rate are not played`() {
        let other = kit([.kick: sine(500, frames: 4800)], sampleRate: 44_100)
        let expected = driver(score([cell(.kick)]), nil).record(seconds: 0.5)[.track(.rhythm)]
        #expect(driver(score([cell(.kick)]), other).record(seconds: 0.5)[.track(.rhythm)] == expected)
        // They are played once the engine runs at their rate.
        let driver = driver(score([cell(.kick)]), other, sampleRate: 44_100)
        #expect(driver.record(seconds: 0.1)[.track(.rhythm)].peak > 0.4)
    }

    @Test func `samples stay when the engine is prepared again`() throws {
        let driver = driver(score([cell(.kick)]), kit([.kick: sine(500, frames: 4800)]))
        let before = driver.record(frames: 4800)[.track(.rhythm)]
        try driver.engine.prepare(sampleRate: 48_000)
        #expect(driver.send(.locate(step: 0)) && driver.send(.play))
        #expect(driver.record(frames: 4800)[.track(.rhythm)].peak == before.peak)
    }

    @Test(arguments: [[16], [64], [1, 7, 1000], [8192]])
    func `samples are the same at every period`(periods: [Int]) {
        let kit = kit([
            .kick: sine(80, frames: 9001), .closedHat: sine(9000, frames: 3001), .openHat: sine(7000, frames: 20_011),
        ])
        let cells = (0..<16).map { cell([.kick, .openHat, .closedHat][$0 % 3], step: $0) }
        let expected = driver(score(cells, bpm: 300), kit).record(seconds: 1)[.mainLeft]
        #expect(driver(score(cells, bpm: 300), kit).record(seconds: 1, periods: periods)[.mainLeft] == expected)
    }

    @Test func `a closed hat silences a sounding open hat`() {
        let kit = kit([.openHat: sine(6000, frames: 48_000)])
        let cells = [cell(.openHat), cell(.closedHat, step: 1)]
        let heard = driver(score(cells, bpm: 150), kit).record(seconds: 1)[.track(.rhythm)]
        #expect(heard[4000..<4700].peak > 0.4)
        // The closed hat, from 808, is over, too.
        #expect(heard[12_000...].peak < 1e-3)
    }

    @Test func `hits that come faster than they fade make no step`() {
        let sample = sine(300, frames: 9600)
        let driver = driver(score([]), kit([.kick: sample]))
        let kick = RtCommand.audition(track: 3, notes: 1, velocity: 2)
        for index in 0..<100 { driver.schedule(.command(kick), at: Int64(index * 24)) }
        let storm = driver.record(frames: 4800)[.track(.rhythm)]
        // Up to eleven generations fade together.
        #expect(storm.peak > 0.1 && storm.steepestStep <= 11 * 0.45 * sample.steepestStep + 0.002)
    }

    @Test func `a kit swapped a thousand times while it plays makes no click, and is freed`() {
        // Hits of 0.5 s every 50 ms, each of another kit.
        let sample = sine(200, frames: 24_000, level: 0.2)
        let driver = driver(score((0..<32).map { cell(.kick, step: $0) }, bpm: 300), nil)
        let loud = 0.45 * sample.steepestStep
        var kits: [WeakKit] = []
        for index in 0..<1000 {
            let kit = kit([.kick: sample.map { index.isMultiple(of: 2) ? $0 : -$0 }])
            kits.append(WeakKit(kit: kit))
            driver.engine.publish(kit)
            let heard = driver.record(frames: 480)[.track(.rhythm)]
            #expect(heard.steepestStep <= 2 * loud + 0.002)
            // One plays, one fades, one is published; a new hit, which releases the one before, comes every 50 ms.
            #expect(kits.count(where: { $0.kit != nil }) <= 8)
        }
        driver.engine.publish(nil)
        #expect(driver.send(.stop))
        _ = driver.record(seconds: 0.6)
        #expect(!driver.engine.releaseSamples())
        #expect(kits.allSatisfy { $0.kit == nil })
    }

    @Test func `kits that no callback reads are freed`() {
        let engine = Engine(score: score([]))
        var kits: [WeakKit] = []
        for _ in 0..<100 {
            let kit = kit([.kick: sine(200, frames: 100)])
            kits.append(WeakKit(kit: kit))
            engine.publish(kit)
        }
        #expect(kits.count(where: { $0.kit != nil }) == 1)
    }

    @Test func `a hit plays on from samples that were replaced, and they stay until it has ended`() {
        let driver = driver(score([cell(.kick)]), nil)
        var first: SampleKit? = kit([.kick: sine(200, frames: 48_000)])
        let watched = WeakKit(kit: first)
        driver.engine.publish(first)
        first = nil
        let start = driver.record(frames: 9600)[.track(.rhythm)]
        driver.engine.publish(kit([.kick: sine(900, frames: 100)]))
        let rest = driver.record(frames: 9600)[.track(.rhythm)]
        #expect(driver.engine.releaseSamples() && watched.kit != nil)
        #expect(abs(start.peak - rest.peak) < 0.02)
        _ = driver.record(frames: 48_000)
        #expect(!driver.engine.releaseSamples() && watched.kit == nil)
    }

    @Test func `scores that name a kit find its samples`() {
        // Published before the score that makes them audible, they are there with it, in whichever period.
        let driver = OfflineDriver.playing(Score.with([], bpm: 60))
        for index in 0..<50 {
            driver.engine.publish(kit([.kick: sine(500, frames: 4800)]))
            driver.engine.publish(score([]))
            #expect(driver.send(.audition(track: 3, notes: 1, velocity: 2)))
            #expect(driver.record(frames: 64 + index)[.track(.rhythm)].peak > 0.1)
            driver.engine.publish(nil)
            driver.engine.publish(Score.with([], bpm: 60))
            _ = driver.record(frames: 300)
        }
    }
}

/// Shows whether a kit has been freed.
private struct WeakKit {
    weak var kit: SampleKit?
}
