import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// Presets and kits that change while the music plays.
@Suite struct VoiceTests {
    /// A score that is played with another preset or kit.
    private func changed(_ score: Score, on track: Track = .bass, to sound: Int) -> Score {
        var score = score
        score.parameters[track.soundParameter, track.rawValue] = Double(sound)
        return score
    }

    private func record(
        _ score: Score, on track: Track = .bass, _ changes: [(Int64, Score)] = [], frames: Int = 24_000
    ) -> [Float] {
        let driver = OfflineDriver.playing(score)
        for (frame, score) in changes { driver.schedule(.score(score), at: frame) }
        return driver.record(frames: frames)[.track(track)]
    }

    private static let longNote = TestNote.sustained(.bass, 3, count: 7)

    @Test(arguments: [(0, 1), (1, 4), (4, 0), (2, 3), (5, 7)])
    func `a sounding note keeps the preset that it started with`(before: Int, after: Int) {
        let score = changed(.with(Self.longNote), to: before)
        let isTheSame = record(score) == record(score, [(4000, changed(score, to: after))])
        #expect(isTheSame)
    }

    @Test(arguments: [(0, 1), (4, 2)])
    func `the next note has the new preset`(before: Int, after: Int) {
        let score = Score.with([TestNote(track: .bass, note: 3, step: 0), TestNote(track: .bass, note: 5, step: 2)])
        let (old, new) = (changed(score, to: before), changed(score, to: after))
        let samples = record(old, [(11_000, new)])
        let (olds, news) = (record(old), record(new))
        let areTheirs = samples[..<12_000] == olds[..<12_000] && samples[12_000...] == news[12_000...]
        #expect(areTheirs && olds[12_500] != news[12_500])
    }

    @Test(arguments: [(0, 1), (1, 4), (4, 0), (2, 5)])
    func `notes of two presets sound together as each does alone`(before: Int, after: Int) {
        let later = TestNote(track: .bass, note: 8, step: 1)
        let score = changed(.with(Self.longNote + [later]), to: before)
        let together = record(score, [(3000, changed(score, to: after))])
        let alone = (
            record(changed(.with(Self.longNote), to: before)), record(changed(.with([later]), to: after))
        )
        #expect(alone.0[8000] != 0 && alone.1[8000] != 0)
        // Until the first has ended, when alone the bass's high-pass ends with it.
        let end = min(alone.0.end!, alone.1.end!) - 50
        let furthest = (0..<end).map { abs(together[$0] - (alone.0[$0] + alone.1[$0])) }.max()!
        #expect(end > 8000 && furthest < 1e-6)
    }

    @Test(arguments: [(0, 2), (2, 0), (1, 3), (4, 1)])
    func `a sounding hit keeps its kit, the next one has the new`(before: Int, after: Int) {
        let cells = [0, 3].map { TestNote(track: .rhythm, note: Drum.crash.rawValue, step: $0) }
        let score = changed(.with(cells), on: .rhythm, to: before)
        let samples = record(score, on: .rhythm, [(4000, changed(score, on: .rhythm, to: after))])
        let plain = record(score, on: .rhythm)
        let isTheSame = samples[..<18_000] == plain[..<18_000]
        #expect(isTheSame && samples[18_100] != plain[18_100])
    }
}
