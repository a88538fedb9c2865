import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// The parameter `tone`: all filters of a track, moved by semitones.
@Suite struct ToneTests {
    private func toned(_ score: Score, _ track: Track, _ tone: Double) -> Score {
        var score = score
        score.parameters[.tone, track.rawValue] = tone
        return score
    }

    @Test(arguments: [-24, -7, 0, 1, 12, 24] as [Double])
    func `a pitched track's low-pass is moved by that many semitones`(tone: Double) {
        // The eighth harmonic of a saw behind a Butterworth low-pass at 400 Hz.
        let frequency = 8 * 440 * exp2(Double(Track.bass.midiPitch(of: 3) - 69) / 12)
        func passed(_ corner: Double) -> Double { 1 / (1 + pow(frequency / corner, 4)).squareRoot() }
        func level(_ tone: Double) -> Double {
            let score = toned(.with(TestNote.sustained(.bass, 3, count: 3)), .bass, tone)
            let samples = OfflineDriver.playing(score).record(frames: 10_240)[.track(.bass)]
            return Spectrum(samples[2048...], sampleRate: 48_000).peak(in: frequency - 10...frequency + 10)
        }
        let difference = decibels(level(tone) / level(0))
        #expect(abs(difference - decibels(passed(400 * pow(2, tone / 12)) / passed(400))) < 0.1, "\(difference) dB")
    }

    @Test(arguments: [-24.0, -12, 0, 5]) func `a drum's filter is moved by that many semitones`(tone: Double) {
        // Noise through a Butterworth high-pass at 7 kHz, heard at 4 kHz.
        func passed(_ corner: Double) -> Double { 1 / (1 + pow(corner / 4000, 4)).squareRoot() }
        func level(_ tone: Double) -> Double {
            let score = Score.with([TestNote(track: .rhythm, note: Drum.closedHat.rawValue, step: 0)])
            let hat = OfflineDriver.playing(toned(score, .rhythm, tone)).record(frames: 2048)[.track(.rhythm)]
            return Spectrum(hat[...], sampleRate: 48_000).level(in: 3700...4300)
        }
        let difference = decibels(level(tone) / level(0))
        #expect(abs(difference - decibels(passed(7000 * pow(2, tone / 12)) / passed(7000))) < 1.5, "\(difference) dB")
    }

    @Test(arguments: Track.allCases) func `a sounding note keeps its tone, the next one has the new`(track: Track) {
        let drum = Drum.openHat.rawValue
        let score = Score.with([
            TestNote(track: track, note: drum, step: 0), TestNote(track: track, note: drum, step: 4),
        ])
        let driver = OfflineDriver.playing(score)
        driver.schedule(.score(toned(score, track, -10)), at: 2000)
        let samples = driver.record(frames: 36_000)[.track(track)]
        let plain = OfflineDriver.playing(score).record(frames: 36_000)[.track(track)]
        let toned = OfflineDriver.playing(toned(score, track, -10)).record(frames: 36_000)[.track(track)]
        #expect(samples[..<24_000] == plain[..<24_000])
        #expect(plain[24_000...] != toned[24_000...])
        if track.isPitched { #expect(samples[24_000...] == toned[24_000...]) }
    }

    @Test(arguments: [44_100.0, 48_000, 192_000]) func `the brightest tone is stable`(sampleRate: Double) {
        var score = InvarianceTests.busyScore(seed: 5)
        for track in Track.allCases { score = toned(score, track, 24) }
        let recording = OfflineDriver.playing(score, sampleRate: sampleRate).record(seconds: 0.5)
        for port in EnginePort.audio where port.group != .returns {
            #expect(recording[port].allSatisfy { $0.isFinite })
            #expect((0.01...4).contains(recording[port].peak), "\(port)")
        }
    }
}
