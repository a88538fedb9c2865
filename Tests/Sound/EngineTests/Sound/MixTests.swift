import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

@Suite struct MixTests {
    /// Every note of every track at once, as loud as the mixer makes them.
    private func everything() -> Score {
        var score = Score(bpm: 120)
        for track in Track.allCases {
            score.mix(track, gain: 4)
            for note in 0..<Track.noteCount { score.set(TestNote(track: track, note: note, step: 0)) }
        }
        return score
    }

    @Test func `the main ports never leave -1 to 1, the track ports may`() {
        let recording = OfflineDriver.playing(everything()).record(frames: 3000)
        #expect(recording[.track(.rhythm)].peak > 2)
        for port in [EnginePort.mainLeft, .mainRight] {
            #expect(recording[port].peak > 0.95)
            #expect(recording[port].peak <= 1)
        }
    }

    @Test func `below -3 dBFS the clipper changes nothing`() {
        for level in [0, 1e-30, 0.1, 0.5, 0.707] as [Float] {
            #expect(Clipper.clip(Lanes(repeating: level)) == Lanes(repeating: level))
            #expect(Clipper.clip(Lanes(repeating: -level)) == Lanes(repeating: -level))
        }
    }

    @Test func `above -3 dBFS the clipper rises smoothly, is odd, and stays within 1`() {
        var previous: Float = 0
        for step in 0...4000 {
            let input = Float(step) / 1000
            let output = Clipper.clip(Lanes(repeating: input))[0]
            #expect(Clipper.clip(Lanes(repeating: -input))[0] == -output)
            #expect(output >= previous && output - previous <= 0.001_001)
            previous = output
        }
        #expect(Clipper.clip(Lanes(repeating: 1e30))[0] <= 1)
        // The slope just above the knee is the same as below it.
        let (low, high) = (Clipper.clip(Lanes(repeating: 0.708))[0], Clipper.clip(Lanes(repeating: 0.718))[0])
        #expect(abs((high - low) / 0.01 - 1) < 0.08)
    }

    @Test func `a quiet mix is the sum of the tracks at equal power`() {
        var score = Score.with([
            TestNote(track: .melody, note: 0, step: 0), TestNote(track: .bass, note: 0, step: 0),
        ])
        score.mix(.bass, left: 0.6, right: 0.8)
        let recording = OfflineDriver.playing(score).record(frames: 4000)
        for frame in 0..<4000 {
            let (melody, bass) = (recording[.track(.melody)][frame], recording[.track(.bass)][frame])
            #expect(abs(recording[.mainLeft][frame] - (melody * 0.707_106_77 + bass * 0.6)) < 1e-6)
            #expect(abs(recording[.mainRight][frame] - (melody * 0.707_106_77 + bass * 0.8)) < 1e-6)
        }
    }

    @Test func `a silent track's port is silent, and unmuting in mid-note lets it be heard`() {
        var muted = Score.with(TestNote.sustained(.chords, 2, count: 4))
        let heard = muted
        muted.isSilent[1] = true
        let driver = OfflineDriver.playing(muted)
        driver.schedule(.score(heard), at: 9600)
        let samples = driver.record(frames: 12_000)[.track(.chords)]
        #expect(samples[..<9600].peak == 0)
        #expect(samples[10_000...].peak > 0.05)
    }

    @Test func `meters hold the highest sample of each track's port until they are read`() {
        let driver = OfflineDriver.playing(.with([TestNote(track: .bass, note: 3, step: 0)]))
        let recording = driver.record(frames: 9600)
        #expect(Double(driver.engine.fetchPeak(track: 2)) == recording[.track(.bass)].peak)
        #expect(driver.engine.fetchPeak(track: 2) == 0)
        #expect(driver.engine.fetchPeak(track: 0) == 0)
    }
}
