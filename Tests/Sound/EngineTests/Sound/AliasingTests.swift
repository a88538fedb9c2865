import Foundation
import TestSupport
import Testing

@testable import Engine

/// The parts of drums without their envelopes, which would hide inharmonic components.
@Suite struct AliasingTests {
    private static let frames = 16_384

    private static let tables = Set(KitDescription.all.flatMap(\.tables))
    private static let sines = Set(
        KitDescription.all.flatMap(\.drums).flatMap(\.parts).flatMap { part -> [Double] in
            if case .sine(let glide) = part.source { [glide.start, glide.end] } else { [] }
        }
    ).sorted()

    /// The strongest inharmonic component of a steady sound, in dB.
    private func inharmonic(of frequency: Double, sampleRate: Double, _ next: () -> Float) -> Double {
        let samples = (0..<Self.frames).map { _ in next() }
        return decibels(Spectrum(samples[...], sampleRate: sampleRate).strongestInharmonic(of: frequency))
    }

    @Test(arguments: [44_100.0, 48_000, 96_000, 192_000])
    func `a kit's waveform has only its harmonics above -60 dB`(sampleRate: Double) {
        let tables = WavetableSet.at(sampleRate: sampleRate)
        #expect(Self.tables.count > 5)
        for table in Self.tables {
            let frequency = table.highestFrequency
            var parts = TableParts()
            parts.start(
                base: tables.base(of: table), increment: phaseIncrement(frequency, sampleRate: sampleRate), lane: 2)
            let worst = inharmonic(of: frequency, sampleRate: sampleRate) { parts.next(tables.reader).total }
            #expect(worst < -60, "\(table.waveform), \(frequency) Hz")
        }
    }

    @Test(arguments: [44_100.0, 48_000, 96_000, 192_000])
    func `a kit's sine has nothing beside it above -60 dB, where its glide starts and where it ends`(sampleRate: Double)
    {
        #expect(Self.sines.count > 20)
        // Lower ones are too few bins from their neighbours to be distinguished.
        for frequency in Self.sines where frequency > 10 * sampleRate / Double(Self.frames) {
            var sine = SineParts()
            sine.start(.approach(from: frequency / sampleRate, to: frequency / sampleRate, frames: 0), lane: 1)
            let worst = inharmonic(of: frequency, sampleRate: sampleRate) { sine.next().total }
            #expect(worst < -60, "\(frequency) Hz")
        }
    }

    @Test(arguments: KitDescription.all.flatMap(\.drums).compactMap(\.drive))
    func `saturation adds harmonics and nothing else above -60 dB`(drive: Double) {
        // The highest sine of a drum that is driven, at full level.
        let (frequency, saturation) = (420.0, Drive(drive))
        var sine = SineParts()
        sine.start(.approach(from: frequency / 48_000, to: frequency / 48_000, frames: 0), lane: 0)
        let worst = inharmonic(of: frequency, sampleRate: 48_000) { saturation.apply(sine.next().total) }
        #expect(worst < -60)
    }
}
