import ArgumentParser
import Engine
import Foundation
import Instrument
import Music
import OfflineAudio

/// The cost of presets, kits and effects.
struct SoundsBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sounds",
        abstract:
            "What a voice of each preset, a drum of each kit, and the effects cost in a period of 64 frames at 48 kHz.",
        discussion: """
            By the thread's own clock, the least of several renderings, which take turns so that other programs disturb all \
            alike. Twelve sustained notes of a preset; each drum of a kit every 50 ms; effects and punch-ins beside the same \
            without them.
            """)

    @Option(help: "Renderings of a second; the shortest counts.")
    var runs = 7

    private static let rate = 48_000
    private static let period = 64

    func run() throws {
        for track in Track.allCases where track.isPitched { try measurePresets(of: track) }
        try measureKits()
        try measureEffects()
        try measurePunchIns()
        try measureEverything(PunchIns())
        try measureEverything(Self.allPunchIns)
    }

    // MARK: Loads

    private func measurePresets(of track: Track) throws {
        let scores = track.soundNames.indices.map { index in
            var score = Score()
            score.parameters[.preset, track.rawValue] = Double(index)
            for step in 0..<32 { score[playing: track.rawValue].notes[step] = step == 0 ? Self.accents : Self.sustains }
            return score
        }
        let costs = try costs([Score()] + scores)
        let voices = costs.dropFirst().map { ($0 - costs[0]) / 12 }
        for (name, voice) in zip(track.soundNames, voices) {
            show("voice", "\(track) \(name)", voice, beside: voices[0])
        }
    }

    private func measureKits() throws {
        var classic = 0.0
        for (index, name) in Track.rhythm.soundNames.enumerated() {
            let scores = Drum.allCases.map { drum in
                var score = Score()
                score.parameters[.tempo] = 300
                score.parameters[.kit, Track.rhythm.rawValue] = Double(index)
                for step in 0..<32 { score[playing: 3].notes[step] = StepNotes([drum.rawValue], .accent) }
                return score
            }
            let costs = try costs([Score()] + scores)
            let drums = zip(Drum.allCases, costs.dropFirst().map { $0 - costs[0] })
            let mean = drums.reduce(0) { $0 + $1.1 } / Double(Drum.allCases.count)
            if index == 0 { classic = mean }
            show("drum", "\(name), the mean", mean, beside: classic)
            for (drum, cost) in drums { show("drum", "\(name), \(drum.title.lowercased())", cost, beside: classic) }
        }
    }

    private func measureEffects() throws {
        var dry = Score()
        for step in 0..<32 { dry[playing: 0].notes[step] = StepNotes([0], step == 0 ? .accent : .sustain) }
        let effects = [Parameter.reverb, .delay]
        let wet = effects.map { effect in
            var wet = dry
            wet.parameters[effect, 0] = -6
            return wet
        }
        let costs = try costs([dry] + wet)
        for (effect, cost) in zip(effects, costs.dropFirst()) { show("effect", effect.row.name, cost - costs[0]) }
    }

    /// Each punch-in on all tracks, the drums with a side.
    private func measurePunchIns() throws {
        var score = EngineLoad.fortyEight.score
        score.parameters[.tempo] = 120
        score.parameters[.places, 3] = 1
        var held = [PunchIns()]
        for effect in PunchEffect.allCases {
            var punchIns = PunchIns()
            punchIns.hold(effect)
            held.append(punchIns)
        }
        held.append(Self.allPunchIns)
        let costs = try costs([Score](repeating: score, count: held.count), held)
        for (name, cost) in zip(PunchEffect.allCases.map(\.name) + ["all"], costs.dropFirst()) {
            show("punch-in", name, cost - costs[0])
        }
    }

    private static var allPunchIns: PunchIns {
        var punchIns = PunchIns()
        for effect in PunchEffect.allCases { punchIns.hold(effect) }
        return punchIns
    }

    /// Every note of the most expensive presets and every drum again every 50 ms, all effects, as in the callback.
    ///
    /// - Parameter held: Punch-ins, of which each second has new ones.
    private func measureEverything(_ held: PunchIns) throws {
        var score = Score()
        score.parameters[.tempo] = 300
        for track in 0..<4 { score[playing: track].notes = PerStep(repeating: Self.accents) }
        for track in 0..<4 {
            score.parameters[.preset, track] = 5
            score.parameters[.kit, track] = 4
            score.parameters[.reverb, track] = -6
            score.parameters[.delay, track] = -6
            score.parameters[.duck, track] = 6
        }
        let driver = try driver(score)
        var times: [Double] = []
        driver.render(frames: Self.rate, periods: [Self.period]) { _ in }
        var start = threadSeconds()
        var held = held
        for _ in 0..<30 {
            held.beginAgain()
            driver.engine.publish(held)
            start = threadSeconds()
            driver.render(frames: Self.rate, periods: [Self.period]) { _ in
                times.append((threadSeconds() - start) * 1e6)
                start = threadSeconds()
            }
        }
        let load = held[.stutter].isHeld ? "everything, punch-ins" : "everything"
        let distribution = Distribution(times)
        let budget = Double(Self.period) / Double(Self.rate) * 1e6
        for (name, share) in [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999)] {
            let time = distribution.quantile(share)
            print(String(format: "%@, %@: %.2f us, %.2f %% of a period", load, name, time, 100 * time / budget))
            Results.record(benchmark: "sounds", ["load": .text(load), "quantile": .text(name), "us": .number(time)])
        }
    }

    // MARK: Measuring

    private static let accents = StepNotes(.all, .accent)
    private static let sustains = StepNotes(.all, .sustain)

    private func driver(_ score: Score) throws -> OfflineDriver {
        let driver = try OfflineDriver(engine: Engine(score: score), sampleRate: Double(Self.rate))
        driver.schedule(.command(.play), at: 0)
        return driver
    }

    /// Microseconds that a period of each score takes.
    ///
    /// - Parameter held: The punch-ins beside each score, of which each rendering has new ones.
    private func costs(_ scores: [Score], _ held: [PunchIns] = []) throws -> [Double] {
        var held = held
        let drivers = try scores.map(driver)
        for driver in drivers { driver.render(frames: Self.rate / 2, periods: [Self.period]) { _ in } }
        var least = [Double](repeating: .infinity, count: drivers.count)
        for _ in 0..<runs {
            for (index, driver) in drivers.enumerated() {
                if held.indices.contains(index) {
                    held[index].beginAgain()
                    driver.engine.publish(held[index])
                }
                least[index] = min(least[index], second(of: driver))
            }
        }
        return least
    }

    /// Microseconds per period, the mean over a second.
    private func second(of driver: OfflineDriver) -> Double {
        let start = threadSeconds()
        driver.render(frames: Self.rate, periods: [Self.period]) { _ in }
        return (threadSeconds() - start) * 1e6 * Double(Self.period) / Double(Self.rate)
    }

    private func show(_ kind: String, _ name: String, _ cost: Double, beside first: Double? = nil) {
        let ratio = first.map { String(format: "  %.2f times the first", cost / $0) } ?? ""
        let title = "\(kind) \(name)".padding(toLength: 28, withPad: " ", startingAt: 0)
        print(title + String(format: "%8.3f us", cost) + ratio)
        Results.record(benchmark: "sounds", [kind: .text(name), "us": .number(cost)])
    }
}

extension PunchIns {
    /// An effect is held on all tracks, in the middle of its left half; a tape as long as it can.
    fileprivate mutating func hold(_ effect: PunchEffect) {
        self[effect].isHeld = true
        self[effect].amount = effect == .brake ? 1 : 0.25
        self[effect].tracks = PerTrack(repeating: true)
    }

    /// All effects get new holders.
    fileprivate mutating func beginAgain() {
        for effect in PunchEffect.allCases { self[effect].number += 1 }
    }
}
