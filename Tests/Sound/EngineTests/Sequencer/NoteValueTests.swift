import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// How the values of notes affect what is heard and sent.
@Suite struct PlayedValueTests {
    @Test(arguments: Track.allCases, [-1, -6, -18, -24])
    func `a level makes a note softer by that many decibels`(track: Track, level: Int) {
        func sound(_ values: [NoteValue: Int]) -> [Float] {
            let cells = [TestNote(track: track, note: 0, step: 0, velocity: .normal, values: values)]
            return OfflineDriver.playing(.with(cells)).record(frames: 4800)[.track(track)]
        }
        let gain = Float(pow(10, Double(level) / 20))
        let (full, soft) = (sound([:]), sound([.level: level]))
        #expect(full.contains { abs($0) > 0.01 })
        for (full, soft) in zip(full, soft) { #expect(abs(full * gain - soft) < 1e-5) }
    }

    /// The steps on which a track's notes are sent, and the notes in their notices.
    private func heard(
        _ cells: [TestNote], passes: Int, seed: Double = 1, period: Int = 1024
    ) -> (sent: [Int], told: [Int]) {
        var score = Score.with(cells, bpm: 300, length: 8)
        for track in 0..<4 { score.parameters[.target, track] = 1 }
        score.parameters[.diceSeed] = seed
        let driver = OfflineDriver.playing(score)
        let sent = driver.sentKeys(frames: passes * 8 * 2400, periods: [period]).ons.map { Int($0.frame) / 2400 }
        let told = driver.fetchNotices().flatMap { notice -> [Int] in
            guard case .step(let step) = notice else { return [] }
            return Array(
                repeating: Int(step.songStep.number),
                count: (0..<4).reduce(0) { $0 + step.notes[$1].stepNotes.notes.count })
        }
        return (sent, told)
    }

    @Test(arguments: [16, 64, 1000, 8192])
    func `notes that the dice leave out are neither sent nor reported, whatever the period`(period: Int) {
        let cells = Track.allCases.map { TestNote(track: $0, note: 2, step: $0.rawValue, values: [.chance: 40]) }
        let dice = Dice(seed: 77)
        let expected = (0..<24).flatMap { pass -> [Int] in
            let tracks = (0..<4).filter { dice.number(count: Int64(pass * 8 + $0), track: $0, note: 2) < 0.4 }
            return tracks.map { pass * 8 + $0 }
        }
        let heard = heard(cells, passes: 24, seed: 77, period: period)
        #expect(heard.sent == expected && heard.told == expected)
        #expect(!expected.isEmpty && expected.count < 96)
    }

    private func cycle(_ name: ParameterValue) -> [NoteValue: Int] { [.cycle: NoteValue.cycle.number(of: name)!] }

    @Test func `cycles count the passes of the loop`() {
        for (name, passes) in [("1:2", [0, 2, 4]), ("2:3", [1, 4]), ("first", [0]), ("not first", [1, 2, 3, 4, 5])] {
            let cells = [TestNote(track: .bass, note: 0, step: 3, values: cycle(.choice(name)))]
            let expected = passes.map { $0 * 8 + 3 }
            let heard = heard(cells, passes: 6)
            #expect(heard.sent == expected && heard.told == expected, "\(name)")
        }
    }

    @Test func `the first pass of a slot that is launched, and of music that jumps, is counted from there`() {
        var score = Score.with(
            [TestNote(track: .bass, note: 0, step: 1, values: cycle("first"))], bpm: 300, length: 8)
        score.parameters[.target, 2] = 1
        let driver = OfflineDriver.playing(score)
        var launched = score
        launched[Slot(.bass, 3)].notes = score.notes[2]
        launched.launches[2].queue(TrackLaunches([3]), number: 1)
        driver.schedule(.score(launched), at: 30_000)
        driver.schedule(.command(.locate(step: 0)), at: 100_000)
        let frames = driver.sentKeys(frames: 160_000).ons.map(\.frame)
        #expect(frames == [2400, 40_800, 102_400])
    }

    @Test func `the first pass comes only once, whatever number another length gives the next`() {
        func score(length: Int) -> Score {
            var score = Score.with(
                [("first", 0), ("not first", 1)].map {
                    TestNote(track: .bass, note: $1, step: 6, values: cycle(.choice($0)))
                }, bpm: 300, length: length)
            score.parameters[.target, 2] = 1
            return score
        }
        let driver = OfflineDriver.playing(score(length: 16))
        // In step 4 of the second pass, which another length makes the pass number 0.
        driver.schedule(.score(score(length: 12)), at: 20 * 2400 + 100)
        let ons = driver.sentKeys(frames: 36 * 2400).ons
        #expect(ons.map(\.frame) == [6, 22, 34].map { $0 * 2400 })
        #expect(ons.map(\.key) == [0, 1, 1].map { Track.bass.midiPitch(of: $0) })
    }

    @Test(arguments: [(11, 13), (15, 21)])
    func `the first pass of a slot that a load lets play begins with the next step`(loaded: Int, heard: Int64) {
        var score = Score.with([], bpm: 300, length: 8)
        score.parameters[.target, 2] = 1
        let driver = OfflineDriver.playing(score)
        score.launches[2].playing = 3
        score.set(TestNote(track: .bass, note: 0, step: 5, values: cycle("first")))
        driver.schedule(.score(score), at: Int64(loaded) * 2400 + 100)
        #expect(driver.sentKeys(frames: 40 * 2400).ons.map(\.frame) == [heard * 2400])
    }

    @Test func `a launched slot that becomes faster in its first pass is in its first pass`() {
        var score = Score.with([], bpm: 300, length: 8)
        score.parameters[.target, 2] = 1
        let driver = OfflineDriver.playing(score)
        score[Slot(.bass, 3)].notes =
            Score.with([TestNote(track: .bass, note: 0, step: 6, values: cycle("first"))]).notes[2]
        score.launches[2].queue(TrackLaunches([3]), number: 1)
        driver.schedule(.score(score), at: 30_000)
        score[Slot(.bass, 3)].time.speed = .double
        // The slot begins with step 16 of the song; its step 6 comes with step 19 then.
        driver.schedule(.score(score), at: 17 * 2400 + 100)
        let start: Int64 = 19 * 2400
        #expect(driver.sentKeys(frames: 60_000).ons.map(\.frame) == [start])
    }

    @Test func `a level lowers the MIDI velocity by half as many decibels, but never to 0`() {
        var score = Score.with([
            TestNote(track: .melody, note: 0, step: 0, values: [.level: -6]),
            TestNote(track: .melody, note: 0, step: 1, velocity: .normal, values: [.level: -24]),
        ])
        score.parameters[.target, 0] = 1
        let keys = OfflineDriver.playing(score).sentKeys(frames: 12_000)
        #expect(keys.ons.map(\.velocity) == [68, 16])
        score.parameters[.velocityAccent, 0] = 1
        #expect(OfflineDriver.playing(score).sentKeys(frames: 4800).ons.map(\.velocity) == [1])
    }
}
