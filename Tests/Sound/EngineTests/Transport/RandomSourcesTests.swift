import Engine
import Foundation
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

/// Sources that come and go at random while the music is started, stopped and edited.
@Suite struct RandomSourcesTests {
    /// How many seconds of music, unless `PIXELBOOP_SYNC_SECONDS` sets another number.
    private static let seconds = ProcessInfo.processInfo.environment["PIXELBOOP_SYNC_SECONDS"].flatMap(Int.init) ?? 40

    /// What happens between two stretches of music.
    private struct Chaos {
        let driver: OfflineDriver
        let transport: SharedTransportModel
        var random: SeededGenerator
        var score = Score.with([], bpm: 120)
        var clock: MidiClock
        /// The engine's last report.
        var report: TransportReport?
        /// The frame since which no master has published anything.
        private var masterlessSince = Int64(0)

        init(seed: UInt64) {
            driver = OfflineDriver(Score.with([], bpm: 120))
            transport = SharedTransportModel(driver)
            random = SeededGenerator(seed: seed)
            clock = MidiClock(driver, bpm: 120)
            clock.random = SeededGenerator(seed: seed + 1)
        }

        mutating func act() {
            // The driver takes and releases the timebase some time after it was asked to.
            let followsOthers = report?.following == .timeline || report?.following == .midi
            transport.isOurs = score.sync.leadsJack && !followsOthers && transport.master == nil
            switch Int.random(in: 0..<18, using: &random) {
            case 0: score.sync.source = [.own, .jack, .midi, .timeline, .automatic].randomElement(using: &random)!
            case 1: score.sync.source = .automatic
            case 2: score.sync.leadsMidi.toggle()
            case 3: score.parameters[.length] = Double(Int.random(in: 8...32, using: &random))
            case 4: set(tempo: .random(in: 40...300, using: &random))
            case 5: score.parameters[.swing] = .random(in: 0.5...0.75, using: &random)
            case 6:
                let bpm = Double.random(in: 40...300, using: &random)
                let shift = Int64.random(in: -100_000...100_000, using: &random)
                let master: SharedTransportModel.Master = { .ticking(max(0, $0 + shift), bpm: bpm) }
                if transport.master != nil { masterlessSince = driver.frame }
                transport.master = Bool.random(using: &random) ? master : nil
            case 7: transport.start()
            case 8: transport.stop()
            case 9: transport.locate(.random(in: 0...4_000_000, using: &random))
            case 10: score.sync.leadsJack.toggle()
            case 11: _ = driver.send(.play)
            case 12: _ = driver.send([RtCommand.pause, .stop, .locate(step: 7)].randomElement(using: &random)!)
            case 13: clock.bpm = .random(in: 40...300, using: &random)
            case 14: sendToClock()
            case 15: publishTimeline()
            case 16: (score.sync.offsetIn, score.sync.offsetOut) = (offset(), offset())
            default: clock.jitter = .random(in: 0...48, using: &random)
            }
            driver.engine.publish(score)
        }

        mutating func set(tempo: Double) {
            score.parameters[.tempo] = tempo
            score.tempoRevision += 1
        }

        /// Checks the engine's report after a period: while `auto` leads JACK and there is no other master, it does not
        /// begin to follow JACK.
        mutating func look() {
            guard let new = driver.engine.fetchReport() else { return }
            let isAlone = transport.master == nil && driver.frame > masterlessSince + 9600
            if report?.following != .jack, score.sync.source == .automatic, score.sync.leadsJack, isAlone {
                #expect(new.following != .jack)
            }
            report = new
        }

        private mutating func publishTimeline() {
            guard Int.random(in: 0..<4, using: &random) != 0 else { return driver.engine.follow(nil) }
            driver.engine.follow(
                Timeline(
                    beat: .random(in: -20...20, using: &random), usecs: driver.frame * 125 / 6,
                    bpm: .random(in: 40...300, using: &random),
                    isPlaying: [true, false, nil].randomElement(using: &random)!,
                    playingUsecs: driver.frame * 125 / 6 + .random(in: -1_000_000...1_000_000, using: &random)))
        }

        /// In seconds; often none.
        private mutating func offset() -> Double {
            Bool.random(using: &random) ? 0 : .random(in: -0.2...0.2, using: &random)
        }

        private mutating func sendToClock() {
            clock.time = max(clock.time, Double(driver.frame + 100))
            switch Int.random(in: 0..<3, using: &random) {
            case 0: clock.start()
            case 1: clock.proceed()
            default: clock.stop()
            }
        }

        /// Ticks for a stretch of music, unless the clock is off.
        mutating func tick(_ frames: Int) {
            guard Int.random(in: 0..<4, using: &random) != 0 else { return }
            clock.time = max(clock.time, Double(driver.frame + 100))
            while clock.time < Double(driver.frame) + Double(frames) { clock.tick(1) }
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `no step is doubled or left out unless the music jumped, and nothing gets stuck`(seed: UInt64) {
        var chaos = Chaos(seed: seed)
        let driver = chaos.driver
        let end = Int64(Self.seconds * 48_000)
        var (last, hasMoved, length, told) = (-1, true, 32, PlayState.stopped)
        while driver.frame < end {
            chaos.act()
            let isNewLength = Int(chaos.score.parameters[.length]) != length
            length = Int(chaos.score.parameters[.length])
            hasMoved = hasMoved || isNewLength
            let stretch = Int.random(in: 1000...48_000, using: &chaos.random)
            chaos.tick(stretch)
            driver.render(frames: stretch, periods: [64, 1024, 333]) { _ in chaos.look() }
            for notice in driver.fetchNotices() {
                switch notice {
                case .transport(let state, _, _): (told, hasMoved) = (state, true)
                case .trackStep, .earlyNote, .launch, .recorded, .played, .key: break
                case .step(let step):
                    #expect(hasMoved || Int(step.step) == (last + 1) % length)
                    (last, hasMoved) = (Int(step.step), false)
                }
            }
            #expect(chaos.report?.state == told)
        }
        playAlone(&chaos)
    }

    /// Whatever happened before: on its own again, it plays when asked to.
    private func playAlone(_ chaos: inout Chaos) {
        let driver = chaos.driver
        chaos.score.sync = SyncSettings()
        chaos.set(tempo: 150)
        chaos.score.parameters[.swing] = 0.5
        driver.engine.publish(chaos.score)
        _ = driver.send(.play)
        driver.render(frames: 480, periods: [256]) { _ in }
        chaos.transport.isOurs = false
        driver.render(frames: 48_000 - 480, periods: [256]) { _ in }
        let steps = driver.fetchSteps()
        #expect((10...11).contains(steps.count))
        // The first one may be late: without swing it would have come earlier.
        #expect(zip(steps.dropFirst(), steps.dropFirst(2)).allSatisfy { abs($1.frame - $0.frame - 4800) <= 1 })
    }
}
