import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// What rings out ends in zeros, and never passes through denormal numbers, which cost many times as much as normal
/// ones.
@Suite struct DecayTests {
    /// Every note and every drum, normal ones and sustained ones, then nothing more, until all is silent.
    private func record(sampleRate: Double) -> OfflineRecording {
        var score = Score(bpm: 300)
        for track in Track.allCases {
            for note in 0..<Track.noteCount {
                for step in stride(from: note % 4, to: 8, by: 3) {
                    score.set(TestNote(track: track, note: note, step: step, velocity: .normal))
                    guard track.isPitched, note % 2 == 0 else { continue }
                    score.set(TestNote(track: track, note: note, step: step + 1, velocity: .sustain))
                }
            }
        }
        let driver = OfflineDriver.playing(score, sampleRate: sampleRate)
        driver.schedule(.command(.finish), at: Int64(0.4 * sampleRate))
        return driver.record(seconds: 1.2)
    }

    @Test(arguments: [44_100.0, 96_000])
    func `a long decay has no denormal sample and ends in zeros`(sampleRate: Double) {
        let recording = record(sampleRate: sampleRate)
        for port in EnginePort.audio where port.group != .returns {
            let samples = recording[port]
            #expect(samples.peak > 0.1, "\(port)")
            #expect(samples.allSatisfy { !$0.isSubnormal }, "\(port)")
            // The crash, last struck at 0.35 s, decays for half a second.
            #expect(samples[Int(0.9 * sampleRate)...].allSatisfy { $0.bitPattern == 0 }, "\(port)")
        }
    }

    #if arch(x86_64)
        @Test func `the process thread's flush-to-zero changes no bit: no state ever becomes denormal`() {
            let plain = record(sampleRate: 48_000)
            let flushed = flushingDenormals { record(sampleRate: 48_000) }
            for port in EnginePort.audio {
                #expect(zip(plain[port], flushed[port]).allSatisfy { $0.bitPattern == $1.bitPattern }, "\(port)")
            }
        }

        @Test func `flush-to-zero works as the test above assumes`() {
            let tiny = Float.leastNormalMagnitude
            func halved(_ number: Float) -> Float { number * Float.random(in: 0.5...0.5) }
            #expect(halved(tiny) != 0)
            #expect(flushingDenormals { halved(tiny) } == 0)
            #expect(halved(tiny) != 0)
        }

        /// Runs with bits 15 (flush to zero) and 6 (denormals are zero) of the control register set.
        private func flushingDenormals<Result>(_ body: () -> Result) -> Result {
            var environment = fenv_t()
            fegetenv(&environment)
            let before = environment
            environment.__mxcsr |= 0x8040
            fesetenv(&environment)
            defer { withUnsafePointer(to: before) { _ = fesetenv($0) } }
            return body()
        }
    #endif
}
