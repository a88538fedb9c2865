import Engine
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

/// Players who strike the sequencer's notes, and synthesizers that send back what they receive.
@Suite struct EchoTests {
    /// Melody with a note on each step, 5760 frames, to voices and MIDI output.
    private func score(target: Double = 2, isMidiCircular: Bool = false) -> Score {
        var score = Score.with((0..<32).map { TestNote(track: .melody, note: 0, step: $0) }, bpm: 125)
        score.send(.melody, target: target)
        score.isMidiCircular = isMidiCircular
        return score
    }

    /// Renders while the output is sent back, delayed by some frames.
    private func loop(_ driver: OfflineDriver, frames: Int, period: Int, delay: (Int64) -> Int64?) -> SentKeys {
        var keys = SentKeys()
        for _ in 0..<frames / period {
            var sent: [(Int64, MidiEvent)] = []
            driver.render(frames: period, periods: [period]) { period in
                keys.accept(period)
                sent += period.messages(of: .midiOut).map { ($0.frame, $0.event) }
            }
            for (frame, event) in sent {
                if let delay = delay(frame) { driver.receive(event, at: max(driver.frame, frame + delay)) }
            }
        }
        return keys
    }

    @Test(arguments: [16, 64, 256, 1024], [96, 64, 33])
    func `a player who strikes together with the sequencer, just before or after, is heard each time`(
        period: Int, velocity: Int
    ) {
        var random = SeededGenerator(seed: UInt64(period * velocity))
        let driver = OfflineDriver.playing(score())
        var strikes: [Int64] = []
        for step in 1..<200 {
            let frame = Int64(step) * 5760 + .random(in: -900...900, using: &random)
            strikes.append(frame)
            driver.press(60, velocity: velocity, at: frame)
            driver.letGo(60, at: frame + .random(in: 1000...3000, using: &random))
        }
        let keys = driver.sentKeys(frames: 201 * 5760, periods: [period])
        #expect(driver.engine.midiCounts.echoes == 0 && keys.faults.isEmpty)
        let heard = Set(keys.ons.filter { $0.velocity == velocity }.map(\.frame))
        #expect(strikes.allSatisfy { heard.contains($0) })
    }

    @Test(arguments: [256, 1024])
    func `a player who is always equally late, and as loud as the sequencer, is heard each time`(period: Int) {
        let driver = OfflineDriver.playing(score())
        let strikes = (1..<200).map { Int64($0) * 5760 + Int64(period) }
        for frame in strikes {
            driver.press(60, velocity: 96, at: frame)
            driver.letGo(60, at: frame + 2000)
        }
        let keys = driver.sentKeys(frames: 201 * 5760, periods: [period])
        #expect(driver.engine.midiCounts.echoes == 0)
        #expect(Set(keys.ons.map(\.frame)).isSuperset(of: strikes))
    }

    @Test func `what is played together with the sequencer is recorded`() {
        let driver = OfflineDriver.playing(score())
        _ = driver.send(.record(true))
        driver.press(60, velocity: 96, at: 5760 + 300)
        driver.letGo(60, at: 5760 + 300 + 11_520)
        driver.render(frames: 40_000, periods: [256]) { _ in }
        let notes = driver.fetchNotices().compactMap { if case .recorded(let note) = $0 { note } else { nil } }
        #expect(notes.map(\.step) == [1])
    }

    @Test(arguments: [16, 64, 256, 1024], [1.0, 2])
    func `a synthesizer with soft thru doubles nothing after the first note`(period: Int, target: Double) {
        for extra in [0, 100, 400] {
            let driver = OfflineDriver.playing(score(target: target))
            let keys = loop(driver, frames: 64 * 5760, period: period) { _ in Int64(period + extra) }
            #expect(keys.faults.isEmpty)
            // The first note is doubled once, which reveals the loop.
            #expect(keys.ons.prefix { $0.frame < 5760 }.count == 2)
            let later = keys.ons.filter { $0.frame >= 5760 }
            #expect(later.map(\.frame) == (1..<64).map { $0 * 5760 })
            #expect(driver.engine.midiCounts.echoes >= 63)
        }
    }

    @Test(arguments: [16, 64, 256, 1024], [1.0, 2])
    func `ports that are connected in a circle double nothing from the first note on`(period: Int, target: Double) {
        let driver = OfflineDriver.playing(score(target: target, isMidiCircular: true))
        let keys = loop(driver, frames: 64 * 5760, period: period) { _ in Int64(period) }
        #expect(keys.ons.map(\.frame) == (0..<64).map { $0 * 5760 } && keys.faults.isEmpty)
        #expect(driver.engine.midiCounts.echoes == UInt64(keys.ons.filter { $0.frame < driver.frame - 5000 }.count))
    }

    @Test(arguments: [16, 64, 256, 1024])
    func `a bound note that comes back is not reported, and its channel's other notes are not doubled`(period: Int) {
        var score = Score.with((0..<32).map { TestNote(track: .melody, note: $0 % 2 * 4, step: $0) }, bpm: 125)
        score.send(.melody, target: 2)
        score.bindings.bind(note: 60, channel: 0)
        let driver = OfflineDriver.playing(score)
        let keys = loop(driver, frames: 32 * 5760, period: period) { _ in Int64(period) }
        #expect(keys.ons.map(\.frame) == (0..<32).map { $0 * 5760 } && keys.faults.isEmpty)
        #expect(driver.engine.midiCounts.echoes > 30)
        #expect(driver.engine.nextArrival() == nil)
    }

    @Test func `once a loop has been found, notes that come back are not reported, so that none is learned`() {
        let driver = OfflineDriver.playing(score())
        _ = loop(driver, frames: 5632, period: 256) { _ in 256 }
        while driver.engine.nextArrival() != nil {}
        _ = loop(driver, frames: 20 * 5760, period: 256) { _ in 256 }
        #expect(driver.engine.nextArrival() == nil)
        // Another key is.
        driver.press(64, at: driver.frame)
        driver.render(frames: 256, periods: [256]) { _ in }
        #expect(driver.engine.nextArrival()?.message.first == 64)
    }

    @Test func `in a circle in which nothing comes back a player is heard after the first note`() {
        let driver = OfflineDriver.playing(score(isMidiCircular: true))
        let strikes = (2..<100).map { Int64($0) * 5760 + 300 }
        for frame in strikes {
            driver.press(60, velocity: 96, at: frame)
            driver.letGo(60, at: frame + 2000)
        }
        let keys = driver.sentKeys(frames: 101 * 5760)
        #expect(driver.engine.midiCounts.echoes == 0 && Set(keys.ons.map(\.frame)).isSuperset(of: strikes))
    }

    @Test(arguments: [false, true])
    func `a player's key that comes back sounds once, and ends`(isShort: Bool) {
        var score = Score.with([], bpm: 125)
        score.send(.melody, target: 2)
        let driver = OfflineDriver(score)
        let length: Int64 = isShort ? 100 : 20_000
        for strike in 0..<4 {
            driver.press(60, at: Int64(strike) * 48_000)
            driver.letGo(60, at: Int64(strike) * 48_000 + length)
        }
        let keys = loop(driver, frames: 4 * 48_000, period: 256) { _ in 300 }
        #expect(keys.faults.isEmpty && keys.down.isEmpty)
        let counts = (0..<4).map { strike in keys.ons.filter { $0.frame / 48_000 == strike }.count }
        // A key that is down cannot be pressed; one that was let go has to come back three times.
        #expect(counts == [isShort ? 3 : 1, 1, 1, 1])
    }

    /// What is no note: frame and bytes.
    private func others(_ keys: SentKeys) -> [[Int64]] {
        keys.others.map { [$0.frame, Int64($0.event.status), Int64($0.event.first), Int64($0.event.second)] }
    }

    @Test(arguments: [16, 256, 1024], [false, true])
    func `controllers of a motion that come back are not sent again, and move nothing`(period: Int, hasNotes: Bool) {
        func moving() -> OfflineDriver {
            var score = hasNotes ? score() : Score.with([], bpm: 125)
            score.send(.melody, target: 2)
            score.move((.melody, .gain, [0: -24, 16: 6]), (.melody, .pan, [0: -1, 16: 1]))
            return .playing(score)
        }
        let expected = others(moving().sentKeys(frames: 16 * 5760))
        #expect(expected.count > 100)
        let driver = moving()
        let keys = loop(driver, frames: 16 * 5760, period: period) { _ in Int64(period) }
        #expect(others(keys) == expected)
        #expect(driver.engine.newestValue(controller: 7, channel: 0) == nil)
        #expect(driver.engine.newestValue(controller: 10, channel: 0) == nil)
    }

    @Test(arguments: [true, false])
    func `a player's bend, pressure and controllers go through once where they come back, and always elsewhere`(
        isCircular: Bool
    ) {
        var score = Score.with([], bpm: 125)
        score.send(.melody, target: 2)
        score.isMidiCircular = isCircular
        let driver = OfflineDriver(score)
        var events: [(frame: Int64, event: MidiEvent)] = [
            (1000, MidiEvent(frame: 0, count: 3, 0xe0, 5, 66)), (1300, MidiEvent(frame: 0, count: 2, 0xd0, 9)),
            (1600, MidiEvent(frame: 0, count: 3, 0xb0, 1, 77)), (9000, MidiEvent(frame: 0, count: 3, 0xe0, 5, 66)),
        ]
        // Data entry may well be the same twice.
        let entry = MidiEvent(frame: 0, count: 3, 0xb0, 6, 64)
        if !isCircular { events += [(12_000, entry), (12_300, entry)] }
        for (frame, event) in events { driver.receive(event, at: frame) }
        let keys = loop(driver, frames: 19_200, period: 256) { _ in isCircular ? 300 : nil }
        #expect(keys.others.map(\.frame) == events.map(\.frame))
    }

    @Test func `when the loop ends, players are heard again`() {
        let driver = OfflineDriver.playing(score())
        _ = loop(driver, frames: 20 * 5760, period: 256) { _ in 256 }
        let echoes = driver.engine.midiCounts.echoes
        #expect(echoes > 15)
        // One step that is no longer sent back.
        driver.render(frames: 5760, periods: [256]) { _ in }
        let strikes = (23..<60).map { Int64($0) * 5760 + 300 }
        for frame in strikes {
            driver.press(60, velocity: 96, at: frame)
            driver.letGo(60, at: frame + 2000)
        }
        let keys = driver.sentKeys(frames: 61 * 5760 - Int(driver.frame))
        #expect(driver.engine.midiCounts.echoes <= echoes + 1)
        #expect(Set(keys.ons.map(\.frame)).isSuperset(of: strikes))
    }
}
