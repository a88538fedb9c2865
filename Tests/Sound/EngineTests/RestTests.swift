import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// An engine rests when it has nothing to do; one whose output is listened to never does.
@Suite struct RestTests {
    /// An engine with JACK's transport, and random events around it.
    private struct Rig {
        let driver: OfflineDriver
        let transport: SharedTransportModel
        private var random: SeededGenerator
        private var score = Score.with([
            TestNote(track: .bass, note: 3, step: 0), TestNote(track: .rhythm, note: 0, step: 4),
        ])

        init(seed: UInt64, rests: Bool) {
            random = SeededGenerator(seed: seed)
            score.parameters[.target, 2] = 2
            driver = OfflineDriver(score)
            transport = SharedTransportModel(driver)
            driver.engine.setListening(isWanted: !rests)
        }

        /// Does something, mostly after the engine has had nothing to do for a while.
        mutating func act() {
            switch Int.random(in: 0..<17, using: &random) {
            case 0: _ = driver.send(.play)
            case 1, 2: _ = driver.send([.stop, .pause, .locate(step: 9)].randomElement(using: &random)!)
            case 3: strike(after: 0)
            case 4:
                publish { $0.parameters[.gain, 2] = .random(in: -40...0, using: &$1) }
                strike(after: 100)
            case 5: publish { $0.parameters[.target, 2] = .random(in: 0...2, using: &$1).rounded() }
            case 6: publish { $0.parameters[.tempo] = .random(in: 40...300, using: &$1) }
            case 7: publish { $0.isSilent[2] = .random(using: &$1) }
            case 8: publish { $0.sync.leadsMidi = .random(using: &$1) }
            case 9: publish { $0.sync.source = [.own, .jack, .automatic].randomElement(using: &$1)! }
            case 10: press()
            case 11: [transport.start, transport.stop].randomElement(using: &random)!()
            case 12: transport.locate(.random(in: 0...4_000_000, using: &random))
            case 13: transport.master = Bool.random(using: &random) ? { .ticking($0, bpm: 97) } : nil
            case 14: skip()
            case 15: driver.receive(MidiEvent(frame: 0, 0xfe), at: driver.frame + 100)
            default: (driver.connectionCount, driver.playbackLatency) = (driver.connectionCount + 1, 777)
            }
        }

        private mutating func publish(_ change: (inout Score, inout SeededGenerator) -> Void) {
            change(&score, &random)
            driver.engine.publish(score)
        }

        private func strike(after frames: Int64) {
            driver.schedule(.command(.audition(track: 2, notes: 0b1001, velocity: 2)), at: driver.frame + frames)
        }

        /// A key of the bass's channel, or a tick of an outside clock.
        private mutating func press() {
            let frame = driver.frame + .random(in: 0...2000, using: &random)
            driver.receive(MidiEvent(frame: 0, count: 3, 0x92, 40, .random(in: 0...1, using: &random) * 99), at: frame)
            driver.receive(MidiEvent(frame: 0, 0xf8), at: frame + 100)
        }

        /// Loses periods, while JACK's transport rolls on.
        private mutating func skip() {
            let frameCount = Int.random(in: 1...60_000, using: &random)
            driver.skip(frameCount)
            transport.skip(frameCount)
        }

        /// The output of a stretch.
        func render(frames: Int) -> [Output] {
            var outputs: [Output] = []
            driver.render(frames: frames, periods: [64, 1024, 333]) { period in
                outputs.append(Output(period, driver))
            }
            while driver.engine.nextBlock() != nil {}
            return outputs
        }
    }

    /// The output of a period.
    private struct Output: Equatable {
        var samples: [Data]
        var messages: [String]
        var report: String
        var notices: String

        init(_ period: OfflinePeriod, _ driver: OfflineDriver) {
            samples = EnginePort.audio.map { Data(buffer: period[$0]) }
            messages = [EnginePort.midiOut, .clockOut].map { "\(period.messages(of: $0))" }
            report = "\(driver.engine.fetchReport()!)"
            notices = "\(driver.fetchNotices())"
        }
    }

    @Test func `an engine rests while a keyboard sends active sensing and a master's transport is stopped`() {
        let driver = OfflineDriver(.with([]))
        let transport = SharedTransportModel(driver)
        transport.master = { .ticking($0, bpm: 97) }
        for frame in stride(from: Int64(0), to: 96_000, by: 14_400) {
            driver.receive(MidiEvent(frame: 0, 0xfe), at: frame)
        }
        driver.render(frames: 96_000, periods: [256]) { _ in }
        #expect(driver.engine.realtime.isResting)
        // A byte of active sensing does not hide what comes with it.
        driver.receive(MidiEvent(frame: 0, 0xfe), at: 96_010)
        driver.receive(MidiEvent(frame: 0, count: 3, 0x92, 40, 99), at: 96_020)
        driver.render(frames: 256) { _ in }
        #expect(!driver.engine.realtime.isResting)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `an engine that may rest plays, sends and reports the same as one that never rests`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var resting = Rig(seed: seed, rests: true)
        var awake = Rig(seed: seed, rests: false)
        for _ in 0..<60 {
            let frames = [600, 30_000, 60_000, 100_000].randomElement(using: &random)!
            let outputs = resting.render(frames: frames)
            #expect(outputs == awake.render(frames: frames))
            resting.act()
            awake.act()
        }
    }
}
