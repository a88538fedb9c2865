import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// Anything that starts and silences notes, in any order: afterwards every key that was pressed is up.
@Suite struct RandomKeysTests {
    /// How many events, unless `PIXELBOOP_MIDI_EVENTS` sets another number.
    private static let events =
        ProcessInfo.processInfo.environment["PIXELBOOP_MIDI_EVENTS"].flatMap(Int.init) ?? 100_000

    private struct Chaos {
        let driver = OfflineDriver(.with([], bpm: 300))
        var score = Score.with([], bpm: 300)
        var random: SeededGenerator
        /// Launches that have happened.
        private(set) var launchCount = 0
        private var issued: [Int64] = [0, 0, 0, 0]

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            for track in Track.allCases {
                for index in 1..<Slot.count {
                    for step in 0..<32 { score[Slot(track, index)].notes[step] = .anyValues(using: &random) }
                    score[Slot(track, index)].time = .random(using: &random)
                }
            }
        }

        mutating func act() {
            let track = Int.random(in: 0..<4, using: &random)
            let place = Int.random(in: 0..<128, using: &random)
            let step = place % 32
            switch Int.random(in: 0..<64, using: &random) {
            case 0..<6: score.notes[place / 32][step] = .anyValues(using: &random)
            case 6..<9: score.notes[place / 32][step] = StepNotes()
            case 9: score.notes = Score().notes
            case 10..<12: score.isSilent[track].toggle()
            case 12..<14: score.parameters[.target, track] = Double(Int.random(in: 0..<3, using: &random))
            case 14: score.parameters[.channel, track] = Double(Int.random(in: 1...3, using: &random))
            case 15: score.parameters[.length] = Double(Int.random(in: 8...32, using: &random))
            case 16: score.parameters[.tempo] = .random(in: 100...300, using: &random)
            case 17: score.parameters[.swing] = .random(in: 0.5...0.75, using: &random)
            case 18: score.parameters[.root] = Double(Int.random(in: 0..<12, using: &random))
            case 19..<22: _ = driver.send(.play)
            case 22: _ = driver.send([RtCommand.stop, .pause, .finish, .suspend].randomElement(using: &random)!)
            case 23: _ = driver.send(.locate(step: Int32(place)))
            case 24..<26: _ = driver.send(.record(Bool.random(using: &random)))
            case 26..<30:
                _ = driver.send(
                    .audition(track: Int32(track), notes: .random(in: 0..<4096, using: &random), velocity: 1))
            case 30: driver.connectionCount += 1
            case 31: score.bindings.bind(note: UInt8(place), channel: 1)
            case 32..<35: queue(track)
            case 35: score.launches[track].cancel()
            case 36: score[playing: track].time = .random(using: &random)
            case 37: score[playing: track].motions = TrackMotions(.random(using: &random), length: 32)
            case 38: score.isFilling.toggle()
            case 39: score.mute(Drum.allCases.filter { _ in Bool.random(using: &random) })
            case 40..<43:
                let key = RtKey(
                    owner: .random(in: 1...2, using: &random), track: UInt8(track), key: UInt8(36 + place % 40),
                    velocity: Bool.random(using: &random) ? 0 : 100)
                _ = driver.engine.send(key, at: UInt64(Double(driver.frame) * 1e6 / driver.sampleRate))
            default: return play(place)
            }
            driver.engine.publish(score)
        }

        private mutating func queue(_ track: Int) {
            // The links in between have numbers, too.
            issued[track] += 1 << 32
            let slots = (0..<Int.random(in: 1...5, using: &random)).map { _ in Int.random(in: 0..<8, using: &random) }
            let launches = TrackLaunches(
                slots, Bool.random(using: &random) ? .queued : .now,
                isPlaying: Int.random(in: 0..<4, using: &random) == 0)
            score.launches[track].queue(launches, number: issued[track])
            score.parameters[.launchQuantum] = Double(Int.random(in: 0..<4, using: &random))
            let slot = Slot(Track.allCases[track], launches.next?.index ?? slots[0])
            score[slot].time = .random(using: &random)
            for step in 0..<32 {
                score[slot].notes[step] = Bool.random(using: &random) ? StepNotes() : .anyValues(using: &random)
            }
        }

        /// Takes a launch into account, or ignores it, at random.
        mutating func accept(_ notice: RtNotice) {
            guard case .launch(let index, let launch) = notice else { return }
            launchCount += 1
            let track = Int(index)
            guard Bool.random(using: &random) else { return }
            score.launches[track].known = launch.number
            score.launches[track].playing = launch.slot
            if score.launches[track].number == launch.number { score.launches[track].cancel() }
        }

        private mutating func play(_ place: Int) {
            let frame = driver.frame + .random(in: 0..<64, using: &random)
            let channel = UInt8.random(in: 0..<4, using: &random)
            let statuses: [UInt8] = [0x80, 0x80, 0x80, 0x90, 0x90, 0x90, 0x90, 0xb0, 0xe0, 0xd0, 0xc0, 0xa0]
            let status = statuses.randomElement(using: &random)!
            let controllers: [UInt8] = [64, 64, 64, 1, 120, 121, 123]
            let first = status == 0xb0 ? controllers.randomElement(using: &random)! : UInt8(36 + place % 40)
            let count: UInt8 = status == 0xc0 || status == 0xd0 ? 2 : 3
            driver.receive(
                MidiEvent(frame: 0, count: count, status | channel, first, .random(in: 0..<128, using: &random)),
                at: frame)
        }
    }

    @Test func `after a hundred thousand random events each start has had its end`() {
        var chaos = Chaos(seed: 22)
        var keys = SentKeys()
        keys.keeps = false
        let perPeriod = 50
        for _ in 0..<Self.events / perPeriod {
            for _ in 0..<perPeriod { chaos.act() }
            let count = Int.random(in: 16...64, using: &chaos.random)
            chaos.driver.render(frames: count) { keys.accept($0) }
            while let notice = chaos.driver.engine.nextNotice() { chaos.accept(notice) }
            while chaos.driver.engine.nextArrival() != nil {}
        }
        chaos.driver.render(frames: 128) { keys.accept($0) }
        #expect(keys.count > Self.events / 20 && chaos.launchCount > Self.events / 1000)
        _ = chaos.driver.send(.silence)
        chaos.driver.render(frames: 64) { keys.accept($0) }
        #expect(keys.faults.isEmpty && keys.down.isEmpty)
    }
}

extension StepNotes {
    /// Any notes, with any values.
    fileprivate static func anyValues(using random: inout SeededGenerator) -> StepNotes {
        var step = StepNotes()
        for note in 0..<Track.noteCount { step[whole: note] = .random(using: &random) }
        return step
    }
}

extension SlotTime {
    /// Half of the time the fastest speed, which starts the most notes.
    fileprivate static func random(using random: inout SeededGenerator) -> SlotTime {
        var time = SlotTime()
        time.length = .random(in: 0...32, using: &random)
        time.speed = Bool.random(using: &random) ? .quadruple : Speed.allCases.randomElement(using: &random)!
        return time
    }
}
