import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@Suite struct PitchTests {
    /// Every note of the pitched tracks at 44.1, 48 and 96 kHz.
    static let cases = [44_100.0, 48_000, 96_000].flatMap { rate in
        Track.allCases.filter(\.isPitched).map { (rate, $0) }
    }

    @Test(arguments: cases)
    func `every note is within a tenth of a cent`(sampleRate: Double, track: Track) {
        for note in 0..<Track.noteCount {
            let driver = OfflineDriver.playing(
                .with([TestNote(track: track, note: note, step: 0)], bpm: 60), sampleRate: sampleRate)
            let samples = driver.record(seconds: 0.16)[.track(track)]
            let expected = 440 * exp2(Double(track.midiPitch(of: note) - 69) / 12)
            let tone = Tone(in: samples[Int(0.03 * sampleRate)...], near: expected * 1.01, sampleRate: sampleRate)
            #expect(abs(cents(tone.frequency, above: expected)) < 0.1, "\(track) \(note) at \(sampleRate)")
        }
    }
}
