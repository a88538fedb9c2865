import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@Suite struct DrumTests {
    private func hit(
        _ drum: Drum, _ velocity: Velocity = .accent, sampleRate: Double = 48_000, seconds: Double
    ) -> [Float] {
        let cell = TestNote(track: .rhythm, note: drum.rawValue, step: 0, velocity: velocity)
        return OfflineDriver.playing(.with([cell], bpm: 60), sampleRate: sampleRate)
            .record(seconds: seconds)[.track(.rhythm)]
    }

    /// A hit before the high-pass that all drums go through.
    private func bareHit(_ drum: Drum, seconds: Double) -> [Float] {
        let share = 1 - exp(-2 * Double.pi * 10 / 48_000)
        var mean = 0.0
        return hit(drum, seconds: seconds).map { sample in
            defer { mean += share * Double(sample) }
            return Float(Double(sample) + mean)
        }
    }

    private func part(_ samples: [Float], _ from: Double, _ to: Double) -> ArraySlice<Float> {
        samples[Int(from * 48_000)..<Int(to * 48_000)]
    }

    /// Each drum's decay by the table: seconds to 0.001.
    static let decays: [(Drum, Double)] = [
        (.kick, 0.3), (.kick2, 0.3), (.lowTom, 0.25), (.snare, 0.15), (.snare2, 0.15), (.rimshot, 0.05),
        (.clap, 0.13), (.closedHat, 0.05), (.openHat, 0.25), (.crash, 0.5), (.ride, 0.4), (.cowbell, 0.15),
    ]

    @Test(arguments: decays)
    func `a drum has ended within two milliseconds after its decay`(drum: Drum, decay: Double) {
        let samples = hit(drum, seconds: decay + 0.01)
        // One for the drum, one for the high-pass after it.
        #expect((decay + 0.0008...decay + 0.0021).contains(Double(samples.end!) / 48_000))
        #expect(samples.onset == 0)
    }

    /// Peaks by the table: those of tonal drums follow from it; noise is filtered, and its peak is a matter of chance.
    @Test(arguments: [
        (Drum.kick, 0.45, 0.4...0.45), (.kick2, 0.45, 0.4...0.45), (.lowTom, 0.3, 0.26...0.3),
        (.snare, 0.39, 0.2...0.45), (.snare2, 0.39, 0.2...0.45), (.rimshot, 0.15, 0.14...0.15),
        (.clap, 0.18, 0.05...0.18), (.closedHat, 0.12, 0.06...0.16), (.openHat, 0.105, 0.06...0.15),
        (.crash, 0.15, 0.1...0.21), (.ride, 0.075, 0.065...0.075), (.cowbell, 0.075, 0.065...0.075),
    ])
    func `a drum's peak is that of the table`(drum: Drum, peak: Double, range: ClosedRange<Double>) {
        #expect(range.contains(bareHit(drum, seconds: 0.04).peak), "\(peak) by the table")
    }

    @Test(arguments: [(Drum.kick, 150.0, 30.0, 0.1), (.kick2, 120, 30, 0.1), (.lowTom, 100, 60, 0.15)])
    func `a drum glides from its first to its last frequency`(drum: Drum, from: Double, to: Double, glide: Double) {
        let samples = bareHit(drum, seconds: 0.25)
        // Frequencies from the times of the zero crossings; at the middle of the glide the geometric mean.
        let crossings = samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
        let phases = crossings.enumerated().map { (Double($0 + 1), Double($1) / 48_000) }
        func expectedPhase(_ time: Double) -> Double {
            let rate = log(to / from) / glide
            let inGlide = min(time, glide)
            return from * (exp(rate * inGlide) - 1) / rate + to * max(0, time - glide)
        }
        #expect(phases.count >= 6)
        for (turns, time) in phases { #expect(abs(expectedPhase(time) - turns) < 0.02, "\(drum) at \(time) s") }
    }

    @Test(arguments: [(Drum.kick, 0.3), (.rimshot, 0.05), (.openHat, 0.25), (.crash, 0.5), (.cowbell, 0.15)])
    func `a drum's decay is a straight line of dB down to -60`(drum: Drum, decay: Double) {
        let samples = hit(drum, seconds: decay)
        // Two stretches of 0.3 of the decay, 0.5 of it apart, are 30 dB apart: the glide and noise level out.
        let early = part(samples, 0.1 * decay, 0.4 * decay).rms
        let late = part(samples, 0.6 * decay, 0.9 * decay).rms
        #expect(abs(decibels(late / early) + 30) < 2.5)
    }

    @Test(arguments: [(Drum.snare, 1000.0), (.snare2, 1500), (.closedHat, 7000), (.openHat, 6000), (.crash, 4000)])
    func `a drum's noise passes a high-pass at its corner`(drum: Drum, corner: Double) {
        // Eight hits, to average out chance.
        var below = 0.0
        var above = 0.0
        var deep = 0.0
        let driver = OfflineDriver(.with([]))
        for _ in 0..<8 {
            driver.schedule(.command(.stop), at: driver.frame)
            _ = driver.record(frames: 400)
            let audition = RtCommand.audition(track: 3, notes: 1 << UInt16(drum.rawValue), velocity: 2)
            driver.schedule(.command(audition), at: driver.frame)
            let spectrum = Spectrum(driver.record(frames: 2048)[.track(.rhythm)][...], sampleRate: 48_000)
            deep += pow(spectrum.level(in: 0.3 * corner...0.5 * corner), 2) / (0.2 * corner)
            below += pow(spectrum.level(in: 0.95 * corner...1.05 * corner), 2) / (0.1 * corner)
            above += pow(spectrum.level(in: 2 * corner...3 * corner), 2) / corner
        }
        #expect(abs(10 * log10(below / above) + 3) < 2.5, "the corner is 3 dB down")
        if drum != .snare && drum != .snare2 {
            #expect(abs(10 * log10(deep / above) + 16) < 4, "12 dB an octave below")
        }
    }

    @Test func `snares have a body under their noise, which ends sooner`() {
        for (drum, body) in [(Drum.snare, 180.0), (.snare2, 200)] {
            let samples = hit(drum, seconds: 0.15)
            let spectrum = Spectrum(samples[..<4096], sampleRate: 48_000)
            #expect(abs(spectrum.strongest(in: 100...400) - body) < 12)
            #expect(part(samples, 0.085, 0.14).rms > 0)
            let late = Spectrum(samples[4096..<6144], sampleRate: 48_000)
            #expect(late.level(in: 100...400) < 0.03 * spectrum.level(in: 100...400))
        }
    }

    @Test func `a clap is three bursts 15 ms apart in a band around 1200 Hz`() {
        let samples = hit(.clap, seconds: 0.14)
        for burst in 1...2 {
            let start = 0.015 * Double(burst)
            #expect(part(samples, start, start + 0.005).rms > 1.5 * part(samples, start - 0.005, start).rms)
        }
        #expect(part(samples, 0.045, 0.05).rms < 1.2 * part(samples, 0.04, 0.045).rms, "there is no fourth")
        let spectrum = Spectrum(samples[..<2048], sampleRate: 48_000)
        let centre = spectrum.level(in: 900...1500) / 600
        #expect(centre > 3 * spectrum.level(in: 100...300) / 200)
        #expect(centre > 3 * spectrum.level(in: 6000...12_000) / 6000)
    }

    @Test(arguments: [(Drum.rimshot, [800.0]), (.ride, [350.0, 620]), (.cowbell, [560.0, 845])])
    func `a tonal drum's strongest partials are those of the table`(drum: Drum, frequencies: [Double]) {
        let spectrum = Spectrum(hit(drum, seconds: 0.2)[..<8192], sampleRate: 48_000)
        let strongest = spectrum.peak(in: 100...3000)
        for frequency in frequencies {
            #expect(spectrum.peak(in: frequency - 12...frequency + 12) > 0.6 * strongest, "\(frequency) Hz")
            #expect(abs(spectrum.strongest(in: frequency - 60...frequency + 60) - frequency) < 6)
        }
    }

    @Test func `a closed hat silences a sounding open hat`() {
        let cells = [
            TestNote(track: .rhythm, note: Drum.openHat.rawValue, step: 0),
            TestNote(track: .rhythm, note: Drum.closedHat.rawValue, step: 1),
        ]
        let samples = OfflineDriver.playing(.with(cells, bpm: 150)).record(seconds: 0.3)[.track(.rhythm)]
        // The closed hat at 0.1 s ends after 51 ms; the open one would sound until 0.25 s.
        #expect(part(samples, 0.09, 0.1).peak > 0.005)
        #expect(part(samples, 0.1525, 0.3).peak == 0)
    }

    @Test func `an open and a closed hat on one step both sound`() {
        let cells = [Drum.openHat, .closedHat].map { TestNote(track: .rhythm, note: $0.rawValue, step: 0) }
        let samples = OfflineDriver.playing(.with(cells, bpm: 60)).record(seconds: 0.2)[.track(.rhythm)]
        #expect(part(samples, 0.06, 0.1).rms > 0.001)
    }

    @Test func `a new hit fades the old one`() {
        let kick = RtCommand.audition(track: 3, notes: 1, velocity: 2)
        let driver = OfflineDriver(.with([]))
        driver.schedule(.command(kick), at: 0)
        driver.schedule(.command(kick), at: 2400)
        let samples = driver.record(frames: 7200)[.track(.rhythm)]
        let alone = hit(.kick, seconds: 0.1)
        // 4 ms later the old hit is gone; only what the high-pass remembers of it is left, and decays in 16 ms.
        let rest = zip(samples[2400 + 192..<7200], alone[192..<4800]).map { $0 - $1 }
        #expect(rest.peak < 0.05 && rest.steepestStep < 0.0001 && rest[3000...].peak < 0.001)
        #expect(samples.steepestStep < alone.steepestStep + 0.005)
    }

    @Test(arguments: Drum.allCases)
    func `a drum sounds the same at every rendering`(drum: Drum) {
        #expect(hit(drum, seconds: 0.05) == hit(drum, seconds: 0.05))
    }

    @Test(arguments: [1, 2, 3], [Velocity.normal, .accent])
    func `a roll of kicks at 300 BPM has no direct current above -60 dBFS in any second`(
        distance: Int, velocity: Velocity
    ) {
        let cells = stride(from: 0, to: 32, by: distance).flatMap { step in
            [Drum.kick, .kick2].map {
                TestNote(track: .rhythm, note: $0.rawValue, step: step, velocity: velocity)
            }
        }
        let samples = OfflineDriver.playing(.with(cells, bpm: 300)).record(seconds: 1.5)[.track(.rhythm)]
        for start in [0, 12_000, 24_000] {
            #expect(decibels(samples[start..<start + 48_000].windowedMean) < -60)
        }
    }

    @Test(arguments: Drum.allCases)
    func `a drum has no direct current above -60 dBFS`(drum: Drum) {
        let cell = TestNote(track: .rhythm, note: drum.rawValue, step: 0)
        let samples = OfflineDriver.playing(.with([cell], bpm: 20)).record(seconds: 1)[.track(.rhythm)]
        #expect(decibels(samples.mean) < -60)
    }
}
