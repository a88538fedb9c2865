import Engine
import Foundation
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

@Suite struct OnsetTests {
    /// The frame of a step by the specification: swing moves odd steps, the rest is `round(start + k * F)`.
    static func expectedFrame(_ count: Int, rate: Double, bpm: Double, swing: Double) -> Int64 {
        let stepFrames = rate * 60 / bpm / 4
        let onset = count % 2 == 0 ? Double(count) : Double(count - 1) + 2 * swing
        return Int64((onset * stepFrames).rounded())
    }

    @Test func `every step of 10 minutes at 127_31 BPM with swing 0_6 is announced on its frame`() {
        let driver = OfflineDriver.playing(.with([], bpm: 127.31, swing: 0.6))
        var frames: [Int64] = []
        driver.render(frames: 600 * 48_000, periods: [8192, 1000, 64]) { _ in
            for case .step(let step) in driver.fetchNotices() { frames.append(step.frame) }
        }
        #expect(frames.count == 5093)
        for (count, frame) in frames.enumerated() {
            #expect(frame == Self.expectedFrame(count, rate: 48_000, bpm: 127.31, swing: 0.6))
        }
    }

    @Test func `every drum of 10 minutes at 127_31 BPM with swing 0_6 sounds on its step's frame`() {
        // At 8 kHz, to save time: the clock's arithmetic is the same.
        let rate = 8000.0
        var score = Score.with([], bpm: 127.31, swing: 0.6)
        for step in 0..<32 { score.set(TestNote(track: .rhythm, note: Drum.closedHat.rawValue, step: step)) }
        let driver = OfflineDriver.playing(score, sampleRate: rate)
        var onsets: [Int64] = []
        var wasSilent = true
        driver.render(frames: Int(600 * rate), periods: [64]) { period in
            for (offset, sample) in period[.track(.rhythm)].enumerated() where (sample == 0) != wasSilent {
                wasSilent = sample == 0
                if !wasSilent { onsets.append(period.startFrame + Int64(offset)) }
            }
        }
        #expect(onsets.count == 5093)
        for (count, onset) in onsets.enumerated() {
            #expect(onset == Self.expectedFrame(count, rate: rate, bpm: 127.31, swing: 0.6))
        }
    }

    @Test(arguments: Track.allCases)
    func `a note's first nonzero sample is on its step's frame`(track: Track) {
        let score = Score.with([TestNote(track: track, note: 3, step: 3, velocity: .normal)], bpm: 133.7, swing: 0.55)
        let samples = OfflineDriver.playing(score).record(seconds: 0.4, periods: [96])[.track(track)]
        #expect(samples.onset.map(Int64.init) == Self.expectedFrame(3, rate: 48_000, bpm: 133.7, swing: 0.55))
    }

    @Test func `a step's notice has the frame, the time and the notes that start`() {
        let cells = [
            TestNote(track: .chords, note: 1, step: 1, velocity: .normal), TestNote(track: .chords, note: 4, step: 1),
            TestNote(track: .chords, note: 4, step: 2, velocity: .sustain), TestNote(track: .rhythm, note: 11, step: 2),
        ]
        let driver = OfflineDriver.playing(.with(cells, bpm: 150))
        _ = driver.record(frames: 10_000, periods: [1000])
        var notices = driver.fetchNotices()
        guard case .transport(.playing, 0, _) = notices.removeFirst() else { return #expect(Bool(false)) }
        let off = StepNotes()
        var chord = StepNotes([1], .normal)
        chord[4] = .accent
        let expected: [(Int32, Int64, UInt64, [StepNotes])] = [
            (0, 0, 0, [off, off, off, off]),
            (1, 4800, 100_000, [off, chord, off, off]),
            (2, 9600, 200_000, [off, off, off, StepNotes([11], .accent)]),
        ]
        #expect(notices.count == expected.count)
        for (notice, wanted) in zip(notices, expected) {
            guard case .step(let step) = notice else {
                #expect(Bool(false), "\(notice)")
                continue
            }
            #expect(step.step == wanted.0 && step.frame == wanted.1)
            #expect(abs(Int64(step.usecs) - Int64(wanted.2)) <= 1)
            for track in 0..<4 { #expect(step.notes[track].stepNotes == wanted.3[track]) }
        }
    }

    @Test func `the loop wraps at the length without a gap`() {
        let cells = [TestNote(track: .rhythm, note: Drum.rimshot.rawValue, step: 0)]
        let samples = OfflineDriver.playing(.with(cells, bpm: 300, length: 9)).record(frames: 50_000)[.track(.rhythm)]
        // 9 steps of 2400 frames.
        for start in [0, 21_600, 43_200] {
            #expect(samples[start] != 0)
            #expect(start == 0 || samples[start - 1] == 0)
        }
    }
}
