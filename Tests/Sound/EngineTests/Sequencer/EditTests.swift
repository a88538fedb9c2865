import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// Edits of notes while they sound.
@Suite struct EditTests {
    // At 150 BPM and 48 kHz a step has 4800 frames.
    private func record(_ before: Score, _ after: Score, at frame: Int64, _ track: Track, frames: Int) -> [Float] {
        let driver = OfflineDriver.playing(before)
        driver.schedule(.score(after), at: frame)
        return driver.record(frames: frames, periods: [64])[.track(track)]
    }

    @Test func `an edit is heard from the next period on`() {
        let driver = OfflineDriver.playing(.with([], bpm: 150))
        driver.render(frames: 9600, periods: [64]) { period in
            // Published during the period that ends where step 1 starts, and just in time for it.
            guard period.startFrame == 4800 - 64 else { return }
            driver.engine.publish(.with([TestNote(track: .melody, note: 0, step: 1)], bpm: 150))
        }
        let early = OfflineDriver.playing(.with([], bpm: 150))
        var onset: Int64?
        early.schedule(.score(.with([TestNote(track: .melody, note: 0, step: 1)], bpm: 150)), at: 4800)
        early.render(frames: 9600, periods: [64]) { period in
            if onset == nil, let offset = period[.track(.melody)].firstIndex(where: { $0 != 0 }) {
                onset = period.startFrame + Int64(offset)
            }
        }
        #expect(onset == 4800)
        #expect(driver.engine.fetchPeak(track: 0) > 0.05)
    }

    @Test func `edits leave the clock where it is`() {
        // A step is 5512.5 frames long: every other one starts halfway between two frames, and the least error shows.
        let driver = OfflineDriver.playing(.with([]), sampleRate: 44_100)
        var frames: [Int64] = []
        driver.render(frames: 64 * 44_100, periods: [61]) { period in
            let note = Int(period.startFrame / 61) % 12
            driver.engine.publish(.with([TestNote(track: .bass, note: note, step: 0)]))
            for case .step(let step) in driver.fetchNotices() { frames.append(step.frame) }
        }
        let exact = (0..<Int64(512)).map { step -> Int64 in (step * 11_025 + 1) / 2 }
        #expect(frames == exact)
    }

    @Test(arguments: Track.allCases)
    func `a note erased while it sounds is released, and others continue`(track: Track) {
        let erased = TestNote(track: track, note: 8, step: 0)
        let kept = TestNote(track: track, note: 9, step: 0)
        let samples = record(.with([erased, kept], bpm: 60), .with([kept], bpm: 60), at: 2000, track, frames: 6000)
        let alone = OfflineDriver.playing(.with([kept], bpm: 60)).record(frames: 6000)[.track(track)]
        #expect(samples[1500] != alone[1500])
        if track == .rhythm {
            #expect(samples[2240...].peak > 0.01)
        } else {
            // Only the kept note is left, after the bass's high-pass has settled.
            let start = track == .bass ? 5500 : 2240
            let tolerance: Float = track == .bass ? 2e-4 : 1e-6
            #expect(zip(samples[start...], alone[start...]).allSatisfy { abs($0 - $1) < tolerance })
        }
    }

    @Test func `erasing a note that has ended or will come affects no sounding one`() {
        let cells = [TestNote(track: .bass, note: 0, step: 0), TestNote(track: .bass, note: 5, step: 1)]
        let later = TestNote(track: .bass, note: 5, step: 9)
        let untouched = record(.with(cells, bpm: 150), .with(cells, bpm: 150), at: 9000, .bass, frames: 14_000)
        let edited = record(
            .with(cells + [later], bpm: 150), .with([cells[1]], bpm: 150), at: 9000, .bass, frames: 14_000)
        #expect(untouched == edited)
    }

    @Test func `a sustained note that is shortened ends with its remaining sustain cells`() {
        let long = Score.with(TestNote.sustained(.chords, 3, count: 6), bpm: 150)
        let short = Score.with(TestNote.sustained(.chords, 3, count: 2), bpm: 150)
        let samples = record(long, short, at: 5000, .chords, frames: 24_000)
        // Three steps are left: step 3 starts at 14400.
        #expect(samples[14_000..<14_400].peak > 0.05)
        #expect(samples[14_400..<14_500].peak > 0.01)
        #expect(samples[14_640...].peak == 0)
    }

    @Test func `a sustained note that is shortened to before the clock is released at once`() {
        let long = Score.with(TestNote.sustained(.chords, 3, count: 6), bpm: 150)
        let short = Score.with(TestNote.sustained(.chords, 3, count: 1), bpm: 150)
        let samples = record(long, short, at: 16_000, .chords, frames: 24_000)
        #expect(samples[15_500..<16_000].peak > 0.05)
        #expect(samples[16_240...].peak == 0)
    }

    @Test func `a note keeps the length that it started with when it is prolonged or the tempo changes`() {
        let short = Score.with(TestNote.sustained(.chords, 3, count: 1), bpm: 150)
        var slower = Score.with(TestNote.sustained(.chords, 3, count: 4), bpm: 150)
        let plain = record(short, short, at: 3000, .chords, frames: 20_000)
        #expect(plain == record(short, slower, at: 3000, .chords, frames: 20_000))
        slower.parameters[.tempo] = 60
        #expect(plain == record(short, slower, at: 3000, .chords, frames: 20_000))
    }

    @Test func `a note whose head a shorter length hides is released`() {
        let cell = TestNote.sustained(.melody, 3, step: 12, count: 4)
        let driver = OfflineDriver.playing(.with(cell, bpm: 150))
        driver.schedule(.command(.locate(step: 12)), at: 0)
        driver.schedule(.score(.with(cell, bpm: 150, length: 10)), at: 6000)
        let samples = driver.record(frames: 12_000)[.track(.melody)]
        #expect(samples[5500..<6000].peak > 0.05)
        #expect(samples[6240...].peak == 0)
    }

    @Test func `a sustained note that wraps round the loop's end sounds through`() {
        var score = Score.with([TestNote(track: .melody, note: 3, step: 7)], bpm: 150, length: 8)
        for step in 0...2 { score.set(TestNote(track: .melody, note: 3, step: step, velocity: .sustain)) }
        let driver = OfflineDriver.playing(score)
        driver.schedule(.command(.locate(step: 7)), at: 0)
        let samples = driver.record(frames: 19_200 + 100)[.track(.melody)]
        let length = Int(0.95 * 4 * 4800)
        #expect(samples.end.map { abs($0 - length - 48) <= 1 } == true)
    }

    @Test func `a note that repeats starts again and its old voice fades`() {
        // 300 BPM: 2400 frames a step, and each note lasts 0.15 s, that is three steps.
        let cells = [0, 1].map { TestNote(track: .chords, note: 4, step: $0) }
        let both = OfflineDriver.playing(.with(cells, bpm: 300)).record(frames: 9600)[.track(.chords)]
        let second = OfflineDriver.playing(.with([cells[1]], bpm: 300)).record(frames: 9600)[.track(.chords)]
        #expect(Array(both[2600...]) == Array(second[2600...]))
        #expect(both[2400] != second[2400])
    }
}
