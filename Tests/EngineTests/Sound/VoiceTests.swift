import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// Voices that change while the music plays.
@Suite struct VoiceTests {
    private static let sine = VoiceDescription.pitched(PitchedVoice(source: .sine, cutoff: 3000))

    /// A score whose bass has another voice.
    private func changed(_ score: Score, to voice: VoiceDescription = sine) -> Score {
        var score = score
        score.voices[Track.bass.rawValue] = voice
        return score
    }

    private func record(_ score: Score, _ changes: [(Int64, Score)] = [], frames: Int = 24_000) -> [Float] {
        let driver = OfflineDriver.playing(score)
        for (frame, score) in changes { driver.schedule(.score(score), at: frame) }
        return driver.record(frames: frames)[.track(.bass)]
    }

    @Test func `a note that sounds keeps the voice that it started with`() {
        let score = Score.with(Cell.sustained(.bass, 3, count: 7))
        #expect(record(score) == record(score, [(4000, changed(score))]))
    }

    @Test func `the next note has the new voice`() {
        let score = Score.with([Cell(track: .bass, note: 3, step: 0), Cell(track: .bass, note: 5, step: 2)])
        let samples = record(score, [(11_000, changed(score))])
        let (old, new) = (record(score), record(changed(score)))
        #expect(samples[..<12_000] == old[..<12_000] && samples[12_000...] == new[12_000...])
        #expect(old[12_500] != new[12_500])
    }

    @Test func `notes of two voices sound together as each does alone`() {
        let long = Cell.sustained(.bass, 3, count: 7)
        let later = Cell(track: .bass, note: 8, step: 1)
        let score = Score.with(long + [later])
        let together = record(score, [(3000, changed(score))])
        let alone = (record(.with(long)), record(changed(.with([later]))))
        #expect(alone.0[8000] != 0 && alone.1[8000] != 0)
        for index in together.indices {
            let difference = abs(together[index] - (alone.0[index] + alone.1[index]))
            if difference > 1e-6 { return #expect(Bool(false), "\(difference) at frame \(index)") }
        }
    }

    @Test func `what does not fit a track leaves it as it is`() {
        let score = Score.with([Cell(track: .bass, note: 3, step: 0), Cell(track: .bass, note: 5, step: 2)])
        #expect(record(changed(score, to: .drums(.classic))) == record(score))
        var drums = Score.with([Cell(track: .rhythm, note: 3, step: 0)])
        let plain = OfflineDriver.playing(drums).record(frames: 4800)
        drums.voices[Track.rhythm.rawValue] = Self.sine
        #expect(OfflineDriver.playing(drums).record(frames: 4800)[.track(.rhythm)] == plain[.track(.rhythm)])
    }
}
