import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

@Suite struct EnvelopeTests {
    /// One note's audio from its first frame on.
    private func render(
        _ track: Track, _ note: Int = 0, _ velocity: Velocity = .accent, sustain: Int = 0, bpm: Double = 120,
        sampleRate: Double = 48_000, seconds: Double
    ) -> [Float] {
        var cells = TestNote.sustained(track, note, count: sustain)
        cells[0].velocity = velocity
        return OfflineDriver.playing(.with(cells, bpm: bpm), sampleRate: sampleRate)
            .record(seconds: seconds)[.track(track)]
    }

    /// The peak of the 2 ms around a time.
    private func level(_ samples: [Float], at seconds: Double, sampleRate: Double = 48_000) -> Double {
        let centre = Int(seconds * sampleRate)
        return samples[max(0, centre - Int(0.001 * sampleRate))..<centre + Int(0.001 * sampleRate)].peak
    }

    @Test(arguments: Track.allCases)
    func `an accent is exactly twice as loud as a normal note`(track: Track) {
        for note in [0, 5, 11] {
            let accent = render(track, note, .accent, seconds: 0.1)
            let normal = render(track, note, .normal, seconds: 0.1)
            #expect(accent.peak > 0.01)
            #expect(zip(accent, normal).allSatisfy { $0 == 2 * $1 }, "\(track) \(note)")
        }
    }

    @Test(arguments: [44_100.0, 96_000])
    func `a note lasts 0.95 of its steps or 0.15 s and then a millisecond`(sampleRate: Double) {
        for (bpm, sustain) in [(90.0, 0), (300, 0), (120, 1)] {
            let length = max(0.15, 0.95 * Double(1 + sustain) * 15 / bpm)
            let samples = render(.chords, sustain: sustain, bpm: bpm, sampleRate: sampleRate, seconds: length + 0.01)
            let end = frames(length, sampleRate: sampleRate) + frames(0.001, sampleRate: sampleRate)
            // The tail's last frame reaches 0, apart from rounding.
            #expect(abs(samples.end! - end) <= 1, "\(bpm) BPM, \(sustain) sustain cells")
        }
    }

    @Test(arguments: [Contour.first, Contour(attack: 0.002, sustain: 0.35, in: 0.9, release: 0.15)])
    func `a key that is held for days sounds until it is released`(contour: Contour) {
        var envelope = NoteEnvelope(sampleRate: 192_000)
        let stroke = Stroke(isAccent: true, stepSeconds: 0.125, sustainSteps: 0, isHeld: true)
        var lanes = LaneEnvelopes()
        lanes.start(envelope.shape(contour, peak: 1, stroke), lane: 0, at: 0)
        let day = Int64(86_400 * 192_000)
        let moments: [Int64] = [0, 20_000, 40_000, 1 << 30 + 60_000, 1 << 31 + 80_000, day, 2 * day]
        for frame in moments {
            var done = 0
            let stretch = lanes.nextStretch(&done, from: frame, count: 64)
            #expect(stretch != nil, "at frame \(frame)")
        }
        lanes.release(lane: 0, frames: 1000, tail: 192, at: 2 * day + 64)
        var lengths: [Int] = []
        var done = 0
        while let stretch = lanes.nextStretch(&done, from: 2 * day + 64, count: 2000) { lengths.append(stretch.count) }
        #expect(lengths == [1000, 192])
    }

    @Test func `the attack takes 10 ms, and 20 ms when the note is longer than 0.2 s`() {
        // The highest melody note's fast cycles show the envelope best; the filter does not change.
        for (bpm, attack) in [(120.0, 0.01), (60, 0.02)] {
            let samples = render(.melody, 11, bpm: bpm, seconds: 0.08)
            let full = level(samples, at: 0.06)
            #expect(abs(level(samples, at: attack / 2) / full - 0.5 - 0.001 / attack) < 0.06)
            #expect(abs(level(samples, at: attack + 0.002) / full - 1) < 0.01)
            #expect(level(samples, at: attack * 0.7) / full < 0.85)
        }
    }

    @Test func `the level at 1 is the oscillator's 0.16 after the filter`() {
        // A Butterworth low-pass of second order: 1 / sqrt(1 + (f/fc)^4), f well below the sample rate.
        let samples = render(.melody, 0, bpm: 60, seconds: 0.1)
        let gain = 1 / sqrt(1 + pow(261.6256 / 2000, 4))
        #expect(abs(level(samples, at: 0.08) / (0.16 * gain) - 1) < 0.01)
    }

    @Test func `a sustained note falls to 0.8 of its level within 60 ms`() {
        let samples = render(.melody, 11, sustain: 3, bpm: 120, seconds: 0.4)
        let peak = samples.peak
        #expect(abs(level(samples, at: 0.02 + 0.03) / peak - 0.9) < 0.02)
        #expect(abs(level(samples, at: 0.1) / peak - 0.8) < 0.01)
        #expect(abs(level(samples, at: 0.3) / peak - 0.8) < 0.01)
    }

    @Test func `a sustained note starts at full level whatever its head`() {
        let normal = render(.chords, 3, .normal, sustain: 2, seconds: 0.1)
        #expect(normal == render(.chords, 3, .accent, sustain: 2, seconds: 0.1))
    }

    @Test func `the release falls by 60 dB in a straight line of dB`() {
        // 0.15 s: the release is the last 45 ms.
        let samples = render(.melody, 11, bpm: 300, seconds: 0.16)
        let plateau = level(samples, at: 0.09)
        for part in [0.25, 0.5, 0.75] {
            let fallen = decibels(level(samples, at: 0.105 + 0.045 * part) / plateau)
            // The peak of 2 ms is that of their first part: up to 1.4 dB above the middle.
            #expect(abs(fallen + 60 * part - 0.7) < 1.2, "\(part) of the release")
        }
    }

    @Test(arguments: [0, 1, 2, 7, 1000, 4799])
    func `what is left of a segment goes on where its frames have led`(count: Int) {
        for segment in [
            EnvelopeSegment(from: 0, to: 0.8, frames: 4800),
            EnvelopeSegment(from: 0.5, logRatio: logSixtyDecibelsDown, frames: 4800),
            EnvelopeSegment(from: 1, towards: 0.3, decay: 9600, frames: 4800),
        ] {
            var value = Double(segment.start)
            for _ in 0..<count { value = value * Double(segment.factor) + Double(segment.slope) }
            let rest = segment.dropping(count)
            #expect(abs(Double(rest.start) - value) < 1e-6)
            #expect(Int(rest.frames) == 4800 - count)
        }
    }

    @Test(arguments: Track.allCases.filter(\.isPitched))
    func `a note has no direct current above -60 dBFS`(track: Track) {
        let samples = render(track, 7, sustain: 7, bpm: 60, seconds: 0.6)
        // Whole cycles, so that the tone itself has no mean.
        let period = 48_000 / (440 * exp2(Double(track.midiPitch(of: 7) - 69) / 12))
        let cycles = (20_000 / period).rounded(.down)
        #expect(decibels(samples[8000..<8000 + Int((cycles * period).rounded())].mean) < -60)
    }

    @Test(arguments: [44_100.0, 96_000])
    func `a melody note's distortion and noise stay 80 dB below it`(sampleRate: Double) {
        for note in [0, 4, 11] {
            let samples = render(.melody, note, bpm: 60, sampleRate: sampleRate, seconds: 0.16)
            let frequency = 440 * exp2(Double(Track.melody.midiPitch(of: note) - 69) / 12)
            let steady = samples[Int(0.04 * sampleRate)...]
            let tone = Tone(in: steady, near: frequency, sampleRate: sampleRate)
            #expect(decibels(tone.residual) < -80, "note \(note)")
        }
    }
}
