import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// Drums that are muted one by one.
@Suite struct MutedDrumTests {
    /// A score at 125 BPM, 5760 frames a step, with some drums muted.
    private func score(_ cells: [TestNote], muted: [Drum], swing: Double = 0.5) -> Score {
        var score = Score.with(cells, bpm: 125, swing: swing, length: 16)
        score.send(.rhythm, target: 2)
        score.mute(muted)
        return score
    }

    /// Drums on random steps with random values.
    private func cells(seed: UInt64) -> [TestNote] {
        var random = SeededGenerator(seed: seed)
        return (0..<60).map { _ in
            var values: [NoteValue: Int] = [:]
            if Bool.random(using: &random) { values[.chance] = .random(in: 30...100, using: &random) }
            if Bool.random(using: &random) { values[.nudge] = .random(in: -50...50, using: &random) }
            if Bool.random(using: &random) { values[.ratchet] = .random(in: 1...4, using: &random) }
            return TestNote(
                track: .rhythm, note: .random(in: 0..<12, using: &random), step: .random(in: 0..<16, using: &random),
                values: values)
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `muted drums are not there, and the others play as without them`(seed: UInt64) {
        let cells = cells(seed: seed)
        var random = SeededGenerator(seed: seed + 100)
        let muted = Drum.allCases.filter { _ in Bool.random(using: &random) }
        let silent = OfflineDriver.playing(score(cells, muted: muted)).sentKeys(frames: 200_000)
        let heard = OfflineDriver.playing(score(cells, muted: [])).sentKeys(frames: 200_000)
        let keys = muted.map(\.generalMIDIKey)
        #expect(silent.ons == heard.ons.filter { !keys.contains($0.key) } && silent.faults.isEmpty)
        #expect(heard.ons.count > silent.ons.count || muted.isEmpty)
        let rest = cells.filter { !muted.map(\.rawValue).contains($0.note) }
        func sound(_ score: Score) -> [Float] {
            OfflineDriver.playing(score).record(frames: 200_000, periods: [256, 64, 1000])[.track(.rhythm)]
        }
        let isTheSame = sound(score(cells, muted: muted)) == sound(score(rest, muted: []))
        #expect(isTheSame)
    }

    @Test func `a sounding drum fades within 5 ms, is released on midi_out, and does not come back`() {
        let crash = TestNote(track: .rhythm, note: Drum.crash.rawValue, step: 0)
        func driver() -> OfflineDriver {
            let driver = OfflineDriver.playing(score([crash], muted: []))
            driver.schedule(.score(score([crash], muted: [.crash])), at: 1000)
            driver.schedule(.score(score([crash], muted: [])), at: 3000)
            return driver
        }
        let samples = driver().record(frames: 9600)[.track(.rhythm)]
        // What remains is the mean that the filter of direct current takes away.
        #expect(samples[500..<1000].peak > 0.02 && samples[1240...].peak < 0.001)
        let keys = driver().sentKeys(frames: 9600)
        #expect(keys.ons.map(\.frame) == [0] && keys.offs.map(\.frame) == [1000] && keys.faults.isEmpty)
    }

    @Test func `planned starts of a muted drum do not come back, those of others stay`() {
        let cells = [Drum.snare, .clap].map {
            TestNote(track: .rhythm, note: $0.rawValue, step: 2, values: [.ratchet: 8])
        }
        let driver = OfflineDriver.playing(score(cells, muted: []))
        driver.schedule(.score(score(cells, muted: [.snare])), at: 13_000)
        driver.schedule(.score(score(cells, muted: [])), at: 13_100)
        // Step 2 is at 11520, and an eighth of it 720 frames.
        let keys = driver.sentKeys(frames: 30_000)
        #expect(keys.ons.filter { $0.key == 38 }.map(\.frame) == [11_520, 12_240, 12_960])
        #expect(keys.ons.count { $0.key == 39 } == 8)
    }

    @Test func `a muted kick ducks nothing, and a muted closed hat chokes nothing`() {
        func bass(_ muted: [Drum], _ kick: Bool) -> [Float] {
            var score = score(
                TestNote.sustained(.bass, 0, count: 8) + (kick ? [TestNote(track: .rhythm, note: 0, step: 1)] : []),
                muted: muted)
            score.parameters[.duck, Track.bass.rawValue] = 12
            return OfflineDriver.playing(score).record(frames: 48_000)[.track(.bass)]
        }
        let (isSame, isDucked) = (bass([.kick], true) == bass([], false), bass([], true) != bass([], false))
        #expect(isSame && isDucked)
        func hats(_ muted: [Drum], closed: Bool) -> [Float] {
            let cells = [
                TestNote(track: .rhythm, note: Drum.openHat.rawValue, step: 0),
                TestNote(track: .rhythm, note: Drum.closedHat.rawValue, step: 1),
            ]
            return OfflineDriver.playing(score(closed ? cells : [cells[0]], muted: muted)).record(frames: 24_000)[
                .track(.rhythm)]
        }
        let isUnchoked = hats([.closedHat], closed: true) == hats([], closed: false)
        #expect(isUnchoked)
    }

    @Test func `keys and auditions of a muted drum do not sound, and its key is recorded all the same`() {
        let driver = OfflineDriver.playing(score([], muted: [.snare]))
        driver.schedule(.command(.record(true)), at: 0)
        driver.press(38, channel: 10, at: 5760)
        driver.schedule(.key(RtKey(.rhythm, 38, velocity: 100)), at: 2 * 5760)
        driver.schedule(.command(.audition(track: 3, notes: 1 << 3, velocity: 1)), at: 3 * 5760)
        #expect(driver.sentKeys(frames: 30_000).ons.isEmpty)
        let notes = driver.fetchNotices().compactMap { if case .recorded(let note) = $0 { note } else { nil } }
        #expect(notes.map(\.step) == [1, 2])
    }

    @Test func `a key that holds a drum is silenced by its mute`() {
        let driver = OfflineDriver(score([], muted: []))
        driver.press(38, channel: 10, at: 0)
        driver.schedule(.score(score([], muted: [.snare])), at: 1000)
        driver.letGo(38, channel: 10, at: 2000)
        let keys = driver.sentKeys(frames: 4800)
        #expect(keys.offs.map(\.frame) == [1000] && keys.faults.isEmpty)
    }
}

extension Score {
    /// Mutes these drums and no others.
    mutating func mute(_ drums: [Drum]) {
        parameters[.mutedDrums, Track.rhythm.rawValue] = Double(drums.reduce(0) { $0 | 1 << $1.rawValue })
    }
}
