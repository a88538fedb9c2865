import Foundation
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// Punch-ins change what is heard while they are held, and nothing else.
@Suite struct PunchInTests {
    /// A driver that plays a busy score from its start, and one beside it without punch-ins.
    private func driver(_ change: (inout Score) -> Void = { _ in }, sampleRate: Double = 48_000) -> OfflineDriver {
        var score = InvarianceTests.busyScore(seed: 7, bpm: 120)
        change(&score)
        return .playing(score, sampleRate: sampleRate)
    }

    /// The same, which begins to play after a while.
    private func lateDriver(_ change: (inout Score) -> Void = { _ in }) -> OfflineDriver {
        var score = InvarianceTests.busyScore(seed: 7, bpm: 120)
        change(&score)
        let driver = OfflineDriver(score)
        driver.schedule(.command(.play), at: 4800)
        return driver
    }

    private static func all(_ amount: Double, number: UInt32 = 1) -> PunchIns {
        var punchIns = PunchIns()
        for effect in PunchEffect.allCases { punchIns.hold(effect, amount, number: number) }
        return punchIns
    }

    private func areSame(_ first: ArraySlice<Float>, _ second: ArraySlice<Float>) -> Bool {
        first.elementsEqual(second) { $0.bitPattern == $1.bitPattern }
    }

    // MARK: What they act on

    @Test(arguments: [PunchEffect.stutter, .filter, .brake])
    func `they act on their tracks alone, and leave them as they were within 5 ms`(effect: PunchEffect) {
        let plain = driver().record(frames: 72_000)
        let held = PunchIns.holding(effect, 0.3, on: [.rhythm, .bass])
        let recording = driver().record(frames: 72_000, [(24_000, held), (48_000, PunchIns())])
        for track in Track.allCases {
            let (changed, same) = (recording[.track(track)], plain[.track(track)])
            #expect(areSame(changed[..<24_000], same[..<24_000]))
            #expect(areSame(changed[24_000..<48_000], same[24_000..<48_000]) == ![.rhythm, .bass].contains(track))
            #expect(areSame(changed[48_240...], same[48_240...]))
        }
    }

    @Test func `drums keep their places while they are repeated`() {
        let places = { (score: inout Score) in score.parameters[.places, 3] = 1 }
        let recording = driver(places).record(frames: 72_000, [(30_000, .holding(.stutter, 0.6, on: [.rhythm]))])
        func side(_ frames: Range<Int>) -> [Float] {
            frames.map { recording[.mainRight][$0] - recording[.mainLeft][$0] }
        }
        // A sixteenth of 6000 frames from 24000 on; other tracks are in the middle.
        #expect(side(24_300..<29_800).peak > 0.01)
        for (first, second) in zip(side(24_300..<29_800), side(48_300..<53_800)) { #expect(abs(first - second) < 1e-6) }
    }

    @Test func `the meter shows what is heard`() {
        let driver = driver()
        func peaks(frames: Int) -> [Float] {
            driver.render(frames: frames) { _ in }
            return (0..<4).map { driver.engine.fetchPeak(track: $0) }
        }
        #expect(peaks(frames: 24_000).allSatisfy { $0 > 0.01 })
        driver.engine.publish(.holding(.brake, 0))
        _ = peaks(frames: 12_000)
        #expect(peaks(frames: 12_000) == [0, 0, 0, 0])
    }

    // MARK: THROW

    @Test(arguments: [(0.0, Parameter.reverb, EnginePort.reverb), (1, .delay, EnginePort.delay)])
    func `a throw to the edge sends all, and the tail rings on`(
        amount: Double, parameter: Parameter, ports: [EnginePort]
    ) {
        // Held before the first sound: then it is as if the sends were full.
        let thrown = lateDriver().record(frames: 96_000, [(0, .holding(.throw, amount)), (48_000, PunchIns())])
        let full = lateDriver { for track in 0..<4 { $0.parameters[parameter, track] = 0 } }.record(frames: 96_000)
        for port in ports {
            #expect(full[port].peak > 0.01)
            #expect(areSame(thrown[port][..<48_000], full[port][..<48_000]))
            #expect(thrown[port][48_240..<60_000].peak > 0.001)
        }
        let other = amount == 0 ? EnginePort.delay : EnginePort.reverb
        #expect(other.allSatisfy { thrown[$0].peak == 0 })
        for track in Track.allCases { #expect(thrown[.track(track)] == full[.track(track)]) }
    }

    @Test(arguments: [(0.25, -60.0, 0.5), (0.4, -6.0, 0.501 + 0.2 * 0.499), (0.5, -12, 0.251), (0.9, -6, 0.501)])
    func `the send's amplitude is on a straight line between the track's and full`(
        amount: Double, decibels: Double, factor: Double
    ) {
        func reverb(_ level: Double, _ held: PunchIns) -> [Float] {
            lateDriver { for track in 0..<4 { $0.parameters[.reverb, track] = level } }
                .record(frames: 24_000, [(0, held)])[EnginePort.reverb[0]]
        }
        let (thrown, full) = (reverb(decibels, .holding(.throw, amount)), reverb(0, PunchIns()))
        #expect(full.peak > 0.01)
        let distance = zip(thrown, full).map { abs(Double($0) - factor * Double($1)) }.max()!
        #expect(distance < 0.002 * full.peak)
    }

    // MARK: Endings

    @Test(arguments: [RtCommand.stop, .pause, .suspend, .silence])
    func `they end with the music, and act again with another number`(command: RtCommand) {
        func play(_ held: [(frame: Int64, punchIns: PunchIns)]) -> [OfflineRecording] {
            let driver = driver()
            driver.schedule(.command(command), at: 40_000)
            driver.schedule(.command(.play), at: 50_000)
            return driver.record(frames: 96_000, held)
        }
        let (plain, recording) = (play([]), play([(30_000, Self.all(0.3)), (60_000, Self.all(0.2))]))
        let again = play([(30_000, Self.all(0.3)), (60_000, Self.all(0.2, number: 2))])
        for track in Track.allCases {
            let port = EnginePort.track(track)
            #expect(!areSame(recording[port][30_000..<40_000], plain[port][30_000..<40_000]))
            #expect(areSame(recording[port][40_240...], plain[port][40_240...]))
            if case .silence = command { continue }
            #expect(!areSame(again[port][60_300...], plain[port][60_300...]))
        }
    }

    @Test func `a stop by MIDI clock ends them on its frame`() {
        func play(_ periods: [Int], _ held: [(frame: Int64, punchIns: PunchIns)]) -> [OfflineRecording] {
            let driver = driver { $0.sync.source = .midi }
            driver.receive(MidiEvent(frame: 0, 0xfa), at: 0)
            for tick in 0..<60 { driver.receive(MidiEvent(frame: 0, 0xf8), at: 100 + Int64(tick) * 1000) }
            driver.receive(MidiEvent(frame: 0, 0xfc), at: 45_010)
            return driver.record(frames: 60_000, periods: periods, held)
        }
        let (plain, recording) = (play([64], []), play([64], [(30_016, Self.all(0.3))]))
        for track in Track.allCases {
            let port = EnginePort.track(track)
            #expect(!areSame(recording[port][30_016..<45_000], plain[port][30_016..<45_000]))
            #expect(areSame(recording[port][45_250...], plain[port][45_250...]))
        }
    }

    @Test func `stopped, a filter acts on what is played by hand, and the others do nothing`() {
        func play(_ effect: PunchEffect?) -> [OfflineRecording] {
            let driver = OfflineDriver(InvarianceTests.busyScore(seed: 7))
            driver.schedule(.command(.audition(track: 2, notes: 1, velocity: 2)), at: 96_000)
            let held = effect.map { PunchIns.holding($0, 0.2) } ?? PunchIns()
            return driver.record(frames: 110_000, periods: [64], [(80_000, held)])
        }
        let (plain, port) = (play(nil), EnginePort.track(.bass))
        #expect(plain[port].peak > 0.01)
        #expect(play(.stutter)[port] == plain[port] && play(.brake)[port] == plain[port])
        #expect(play(.filter)[port] != plain[port] && play(.throw)[port] == plain[port])
        #expect(play(.throw)[EnginePort.reverb[0]] != plain[EnginePort.reverb[0]])
    }

    @Test func `mute silences what they play, and after it they go on`() {
        var muted = InvarianceTests.busyScore(seed: 7, bpm: 120)
        let heard = muted
        muted.isSilent[0] = true
        for effect in [PunchEffect.stutter, .filter, .brake] {
            let driver = driver()
            driver.schedule(.score(muted), at: 36_000)
            driver.schedule(.score(heard), at: 42_000)
            let samples = driver.record(frames: 60_000, [(30_000, .holding(effect, 0.7))])[.track(.melody)]
            #expect(samples[36_240..<42_000].allSatisfy { $0 == 0 })
            #expect(samples[30_240..<36_000].peak > 0.01)
            #expect(samples.steepestStep < 0.2)
            if effect == .stutter { #expect(samples[42_240...].peak > 0.01) }
        }
    }

    @Test func `the song, its steps and what is sent go on as if nothing were held`() {
        func play(_ held: [(frame: Int64, punchIns: PunchIns)]) -> (String, [SentKeys.Event]) {
            let driver = driver { score in for track in Track.allCases { score.send(track, target: 2) } }
            var keys = SentKeys()
            let end = (frame: Int64(96_000), punchIns: PunchIns())
            for change in held + [end] {
                driver.render(frames: Int(change.frame - driver.frame), periods: [64]) { keys.accept($0) }
                driver.engine.publish(change.punchIns)
            }
            return ("\(driver.fetchNotices())", keys.events)
        }
        let (plain, held) = (play([]), play([(20_000, Self.all(0.3)), (50_000, Self.all(0.9, number: 3))]))
        #expect(plain.0 == held.0 && plain.1 == held.1 && !plain.1.isEmpty)
    }

    // MARK: Steps

    @Test(arguments: [PunchEffect.stutter, .filter, .brake], Track.allCases.filter(\.isPitched))
    func `no click when one enters, moves and leaves`(effect: PunchEffect, track: Track) {
        var score = Score.with(TestNote.sustained(track, 4, count: 15), bpm: 60)
        score.parameters[.preset, track.rawValue] = 0
        let driver = OfflineDriver.playing(score)
        let held: [(Int64, PunchIns)] = [
            (50_003, .holding(effect, 0.1)), (70_001, .holding(effect, 0.9)), (90_007, PunchIns()),
        ]
        let samples = driver.record(frames: 110_000, periods: [64], held)[.track(track)]
        let slope = samples[20_000..<45_000].steepestStep
        #expect(samples[20_000...].peak > 0.01)
        // A resonant filter may be 3.5 dB louder, and its phase catches up.
        #expect(samples[20_000...].steepestStep <= (effect == .filter ? 1.7 : 1) * slope + 0.002)
    }

    // MARK: Rest

    @Test func `what is held while the engine rests acts when it wakes`() {
        func play(rests: Bool) -> [Float] {
            let driver = OfflineDriver(InvarianceTests.busyScore(seed: 7))
            driver.engine.setListening(isWanted: !rests)
            driver.render(frames: 96_000, periods: [64]) { _ in while driver.engine.nextBlock() != nil {} }
            #expect(driver.engine.realtime.isResting == rests)
            driver.engine.publish(.holding(.filter, 0.2))
            driver.render(frames: 9600, periods: [64]) { _ in while driver.engine.nextBlock() != nil {} }
            driver.engine.publish(.holding(.filter, 0.8))
            driver.schedule(.command(.audition(track: 2, notes: 1, velocity: 2)), at: driver.frame + 96_000)
            return driver.record(frames: 110_000, periods: [64])[.track(.bass)]
        }
        let (rested, awake) = (play(rests: true), play(rests: false))
        #expect(rested == awake && rested.peak > 0.01)
    }

    @Test func `a reset while everything is silent changes nothing, whatever is held`() {
        func play(resets: Bool) -> [OfflineRecording] {
            let driver = OfflineDriver(InvarianceTests.busyScore(seed: 7))
            driver.schedule(.command(.audition(track: 2, notes: 1, velocity: 2)), at: 1000)
            _ = driver.record(frames: 200_000, periods: [64], [(500, .holding(.filter, 0.2))])
            if resets { unsafe driver.engine.realtime.resetSound() }
            driver.schedule(.command(.audition(track: 2, notes: 1, velocity: 2)), at: 210_000)
            return [driver.record(frames: 30_000, periods: [64])]
        }
        let (plain, reset) = (play(resets: false), play(resets: true))
        for port in EnginePort.audio { #expect(plain[port] == reset[port]) }
        #expect(plain[.track(.bass)].peak > 0.01)
    }

    // MARK: Periods and rates

    @Test(arguments: [[1], [64], [256], [1000], [64, 17, 1000, 3]])
    func `any periods give the same bits`(periods: [Int]) {
        let count = periods == [1] ? 30_000 : 90_000
        func play(_ periods: [Int]) -> [OfflineRecording] {
            let driver = driver { score in
                for track in Track.allCases {
                    score.parameters[.duck, track.rawValue] = 6
                    score.parameters[.reverb, track.rawValue] = -20
                }
                score.parameters[.places, 3] = 1
                score.parameters[.width, 0] = 0.7
            }
            var held: [(frame: Int64, punchIns: PunchIns)] = []
            var random = SeededGenerator(seed: 5)
            var (punchIns, frame) = (PunchIns(), Int64(12_345))
            while frame < count {
                let effect = PunchEffect.allCases.randomElement(using: &random)!
                let number = punchIns[effect].number + .random(in: 0...1, using: &random)
                punchIns.hold(effect, .random(in: 0...1, using: &random), number: max(1, number))
                if Bool.random(using: &random) { punchIns.letGo(effect) }
                held.append((frame, punchIns))
                frame += .random(in: 50...4000, using: &random)
            }
            return driver.record(frames: count, periods: periods, held)
        }
        let (reference, recording) = (play([512]), play(periods))
        let differing = EnginePort.audio.filter { !areSame(recording[$0][...], reference[$0][...]) }
        #expect(differing.map(\.name) == [])
    }

    @Test(arguments: [44_100, 48_000, 96_000, 192_000.0], PunchEffect.allCases)
    func `at every rate they change the sound, and leave it as it was`(sampleRate: Double, effect: PunchEffect) {
        let frame = { (seconds: Double) in Int64(seconds * sampleRate) }
        let count = Int(frame(1.2))
        let plain = driver(sampleRate: sampleRate).record(frames: count)
        let held = [(frame(0.5), PunchIns.holding(effect, 0.3)), (frame(1), PunchIns())]
        let recording = driver(sampleRate: sampleRate).record(frames: count, held)
        let end = Int(frame(1) + frame(0.005) + 1)
        for track in Track.allCases {
            let (changed, same) = (recording[.track(track)], plain[.track(track)])
            #expect(areSame(changed[end...], same[end...]))
            #expect(changed.peak < 2 && (changed == same) == (effect == .throw))
        }
        #expect(recording[.mainLeft] != plain[.mainLeft])
    }

    @Test(arguments: [(48_000.0, 3.9), (192_000, 15.6)])
    func `their memory is as large as stated`(sampleRate: Double, megabytes: Double) {
        let sum = Track.allCases.reduce(0) { $0 + Strip($1.rawValue, sampleRate: sampleRate).punchIns.byteCount }
        #expect(abs(Double(sum) / 1e6 - megabytes) < 0.2)
    }
}
