import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// The kits after the first.
@Suite struct KitTests {
    static let kits = Array(Track.rhythm.soundNames.indices.dropFirst())

    private func score(_ cells: [TestNote], kit: Int, bpm: Double = 60) -> Score {
        var score = Score.with(cells, bpm: bpm)
        score.parameters[.kit, Track.rhythm.rawValue] = Double(kit)
        return score
    }

    private func hit(
        _ drum: Drum, _ velocity: Velocity = .accent, kit: Int, sampleRate: Double = 48_000, seconds: Double? = nil
    ) -> [Float] {
        let cell = TestNote(track: .rhythm, note: drum.rawValue, step: 0, velocity: velocity)
        return OfflineDriver.playing(score([cell], kit: kit), sampleRate: sampleRate)
            .record(seconds: seconds ?? length(of: drum, kit: kit))[.track(.rhythm)]
    }

    private func description(of drum: Drum, kit: Int) -> DrumDescription {
        KitDescription.all[kit].drums[drum.rawValue]
    }

    /// Seconds until a drum has ended.
    private func length(of drum: Drum, kit: Int) -> Double {
        let parts = description(of: drum, kit: kit).parts
        return parts.map { $0.decay + $0.hold + $0.attack + Double($0.bursts - 1) * $0.distance }.max()! + 0.003
    }

    /// What a drum's K-weighted energy should be.
    private func level(of drum: Drum, kit: Int) -> Double {
        let level: Double =
            switch drum {
            case .kick, .kick2: -25
            case .lowTom: -29
            case .snare, .snare2, .crash: -30
            case .clap: -32
            case .openHat, .ride: -36
            case .rimshot, .cowbell: -38
            case .closedHat: -42
            }
        return Track.rhythm.soundNames[kit] == "CR-78" ? level - 3 : level
    }

    /// The mean K-weighted energy of some hits, each of which has different noise.
    private func meanLevel(of drum: Drum, kit: Int, hits: Int, sampleRate: Double = 48_000) -> Double {
        let driver = OfflineDriver(score([], kit: kit), sampleRate: sampleRate)
        let distance = Int(length(of: drum, kit: kit) * sampleRate)
        let hit = RtCommand.audition(track: 3, notes: 1 << UInt16(drum.rawValue), velocity: 2)
        for index in 0..<hits { driver.schedule(.command(hit), at: Int64(index * distance)) }
        let samples = driver.record(frames: hits * distance)[.track(.rhythm)]
        return Loudness.energyLevel(samples[...], sampleRate: sampleRate) - 10 * log10(Double(hits))
    }

    @Test(arguments: kits, Drum.allCases)
    func `a drum is as loud as in every kit`(kit: Int, drum: Drum) {
        let off = meanLevel(of: drum, kit: kit, hits: 24) - level(of: drum, kit: kit)
        #expect(abs(off) < 0.5, "\(off) dB off")
        Figures.show("LEVEL \(kit) \(drum.rawValue)", decibels: off)
    }

    @Test(arguments: kits, Drum.allCases)
    func `a drum is as loud at every sample rate`(kit: Int, drum: Drum) {
        let tolerance = description(of: drum, kit: kit).parts.contains(where: \.isNoisy) ? 0.3 : 0.1
        let reference = meanLevel(of: drum, kit: kit, hits: 4)
        for sampleRate in NoiseTests.rates {
            let off = meanLevel(of: drum, kit: kit, hits: 4, sampleRate: sampleRate) - reference
            #expect(abs(off) < tolerance, "\(off) dB at \(Int(sampleRate)) Hz")
        }
    }

    @Test(arguments: kits, Drum.allCases)
    func `a drum ends by itself, is finite, and has no direct current`(kit: Int, drum: Drum) {
        let samples = hit(drum, kit: kit, seconds: length(of: drum, kit: kit) + 0.01)
        #expect(samples.allSatisfy(\.isFinite) && samples.peak > 0.01 && samples.peak < 1)
        #expect(samples.onset! <= 1 && samples.end! < samples.count - 100)
        #expect(decibels(samples.mean * Double(samples.count) / 48_000) < -60)
    }

    @Test(arguments: kits)
    func `an accent of a drum without noise is exactly twice as loud, others are brighter`(kit: Int) {
        for drum in Drum.allCases {
            let (accent, normal) = (
                hit(drum, kit: kit, seconds: 0.02), hit(drum, .normal, kit: kit, seconds: 0.02)
            )
            let isDouble = zip(accent, normal).allSatisfy { $0 == 2 * $1 }
            #expect(isDouble == !description(of: drum, kit: kit).parts.contains { $0.isNoisy }, "\(drum)")
        }
    }

    @Test(arguments: kits)
    func `a closed hat silences a sounding open hat`(kit: Int) {
        let cells = [(Drum.openHat, 0), (.closedHat, 1)].map {
            TestNote(track: .rhythm, note: $0.0.rawValue, step: $0.1)
        }
        let both = OfflineDriver.playing(score(cells, kit: kit, bpm: 300)).record(seconds: 0.3)[.track(.rhythm)]
        let closed = OfflineDriver.playing(score([cells[1]], kit: kit, bpm: 300)).record(seconds: 0.3)[.track(.rhythm)]
        let open = OfflineDriver.playing(score([cells[0]], kit: kit, bpm: 300)).record(seconds: 0.3)[.track(.rhythm)]
        #expect(open[2700..<3000].peak > 0.001)
        #expect(abs(decibels(both[7500...].rms / max(closed[7500...].rms, 1e-9))) < 3 || both[7500...].peak < 1e-4)
    }

    @Test(arguments: kits)
    func `hits that come faster than they fade make no step`(kit: Int) {
        let kick = RtCommand.audition(track: 3, notes: 0b11, velocity: 2)
        let driver = OfflineDriver.playing(score([], kit: kit))
        for index in 0..<100 { driver.schedule(.command(kick), at: Int64(index * 24)) }
        let storm = driver.record(frames: 4800)[.track(.rhythm)]
        let alone = hit(.kick, kit: kit, seconds: 0.05).steepestStep + hit(.kick2, kit: kit, seconds: 0.05).steepestStep
        #expect(storm.allSatisfy(\.isFinite) && storm.peak < 4)
        // Up to eight generations fade together.
        #expect(storm.steepestStep <= 8 * alone + 0.002)
        #expect(storm.peak > 0.02)
    }

    @Test func `a hit sounds the same, whatever its lanes have played before`() {
        let stage = DrumStage()
        let drums = KitDescription.all.enumerated().flatMap { index, kit in kit.drums.map { (index, kit, $0) } }
        func play(_ drum: (Int, KitDescription, DrumDescription), by group: inout DrumGroup, from frame: Int) -> [Float]
        {
            _ = group.start(
                PreparedDrum(drum.2, of: drum.1, stage.tables, stage.setting), stage.metal.reader(kit: drum.0), seed: 7,
                stage.stroke, at: Int64(frame))
            return stage.render(&group, from: frame, count: 2048)
        }
        var used = stage.group()
        for (index, drum) in (drums + drums.reversed()).enumerated() {
            var fresh = stage.group()
            let frame = index * 2048
            #expect(play(drum, by: &used, from: frame) == play(drum, by: &fresh, from: frame), "\(index)")
        }
    }

    @Test(arguments: 0..<noteCount)
    func `hits that share lanes sound as they do alone, and are cut off separately`(drum: Int) {
        let stage = DrumStage()
        let kit = KitDescription.classic
        let first = PreparedDrum(kit.drums[drum], of: kit, stage.tables, stage.setting)
        for other in 0..<noteCount {
            let second = PreparedDrum(kit.drums[other], of: kit, stage.tables, stage.setting)
            var shared = stage.group()
            var firstAlone = stage.group()
            var secondAlone = stage.group()
            let lanes = shared.start(first, nil, seed: 7, stage.stroke, at: 0)
            guard shared.hasRoom(for: second) else { continue }
            _ = firstAlone.start(first, nil, seed: 7, stage.stroke, at: 0)
            var mixed = stage.render(&shared, from: 0, count: 256)
            var sum = stage.render(&firstAlone, from: 0, count: 256)
            let others = shared.add(second, seed: 11, stage.stroke, at: 256)
            #expect(others & lanes == 0)
            _ = secondAlone.start(second, nil, seed: 11, stage.stroke, at: 256)
            shared.fade(lanes, frames: 192, at: 256)
            firstAlone.fade(lanes, frames: 192, at: 256)
            #expect(!shared.isFading && firstAlone.isFading)
            mixed += stage.render(&shared, from: 256, count: 2048)
            sum += zip(
                stage.render(&firstAlone, from: 256, count: 2048), stage.render(&secondAlone, from: 256, count: 2048)
            ).map { $0 + $1 }
            #expect(zip(mixed, sum).allSatisfy { abs($0 - $1) < 1e-6 }, "\(other)")
            #expect(sum[1000...].peak > 0.005 && !firstAlone.isLive && shared.isLive)
        }
    }

    @Test func `metal has the same length and loudness at every rate`() {
        for sampleRate in [44_100.0, 48_000] {
            let loop = MetalLoop(
                frequencies: KitDescription.eightOhEight.metal, sine: MetalLoop.sine, sampleRate: sampleRate
            )
            .samples
            #expect(loop.count == Int((65_536 * sampleRate / 48_000).rounded()))
            #expect(abs(loop.rms - 0.577) < 0.001)
            let spectrum = Spectrum(loop[..<32_768], sampleRate: sampleRate)
            for frequency in KitDescription.eightOhEight.metal {
                #expect(abs(spectrum.strongest(in: frequency - 8...frequency + 8) - frequency) < 3)
            }
            #expect(decibels(spectrum.peak(in: 20_400...21_500) / spectrum.peak(in: 200...210)) < -60)
        }
    }
}

extension DrumPart {
    fileprivate var isNoisy: Bool {
        switch source {
        case .noise, .metal: true
        case .sine, .table: false
        }
    }
}

/// What drums need to be played and heard.
private struct DrumStage: ~Copyable {
    private let scores = ScoreExchange(Score())
    let tables = WavetableSet.at(sampleRate: 48_000)
    let metal = MetalSet.at(sampleRate: 48_000)
    let stroke = Stroke(isAccent: true, stepSeconds: 0.1, sustainSteps: 0)
    let setting: VoiceSetting

    init() {
        setting = VoiceSetting(sampleRate: 48_000, parameters: scores.current.parameters.of(3))
    }

    func group() -> DrumGroup { DrumGroup(tables.reader, sampleRate: 48_000) }

    func render(_ group: inout DrumGroup, from frame: Int, count: Int) -> [Float] {
        let parts = LaneMix()
        let mix = LaneMix()
        return stride(from: 0, to: count, by: 128).flatMap { offset in
            let output = mix.start(count: 128)
            group.render(adding: output, side: nil, by: parts, from: Int64(frame + offset), count: 128)
            return (0..<128).map { output[$0].total }
        }
    }
}
