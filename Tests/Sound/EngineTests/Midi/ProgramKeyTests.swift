import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// Keys that programs press.
@Suite struct ProgramKeyTests {
    private func driver(_ change: (inout Score) -> Void = { _ in }) -> OfflineDriver {
        var score = Score.with([], bpm: 125)
        change(&score)
        return OfflineDriver(score)
    }

    @Test(arguments: [16, 64, 256, 1024], Track.allCases)
    func `a key sounds from the first frame of the next period, exactly as one at the MIDI input`(
        period: Int, track: Track
    ) {
        let (program, keyboard) = (driver(), driver())
        let key = track.midiPitch(of: 4)
        let (on, off) = (Int64(4 * period), Int64(40 * period))
        program.schedule(.key(RtKey(track, key, velocity: 100)), at: on)
        program.schedule(.key(RtKey(track, key, velocity: 0)), at: off)
        keyboard.press(key, channel: track.defaultChannel, at: on)
        keyboard.letGo(key, channel: track.defaultChannel, at: off)
        let frames = 60 * period + 20_000
        let samples = program.record(frames: frames, periods: [period])[.track(track)]
        #expect(samples.onset == Int(on))
        let isTheSame = samples == keyboard.record(frames: frames, periods: [period])[.track(track)]
        #expect(isTheSame)
    }

    @Test(arguments: [(72, 0), (59, 11), (36, 0), (127, 7), (61, 2), (66, 7)])
    func `keys are folded into the track, moved into the scale and sent with their velocity`(key: Int, note: Int) {
        let driver = driver { $0.send(.melody, target: 2) }
        driver.schedule(.key(RtKey(.melody, key, velocity: 33)), at: 10)
        let keys = driver.sentKeys(frames: 480)
        #expect(keys.ons.map(\.key) == [60 + note] && keys.ons.map(\.velocity) == [33])
        #expect(keys.ons.map(\.frame) == [10])
    }

    @Test func `a key plays its track alone, not the others on its channel`() {
        let driver = driver { score in
            for track in [Track.melody, .bass] {
                score.send(track, target: 2)
                score.parameters[.channel, track.rawValue] = 5
            }
        }
        driver.schedule(.key(RtKey(.bass, 36, velocity: 100)), at: 0)
        #expect(driver.sentKeys(frames: 480).ons.map(\.key) == [36])
    }

    @Test func `bindings do not concern it, and it is not taken for an echo`() {
        let driver = driver {
            $0.send(.melody, target: 2)
            $0.bindings.bind(note: 60, channel: 0)
            $0.isMidiCircular = true
        }
        for frame in [Int64(0), 480] {
            driver.schedule(.key(RtKey(.melody, 60, velocity: 100)), at: frame)
            driver.schedule(.key(RtKey(.melody, 60, velocity: 0)), at: frame + 240)
        }
        let keys = driver.sentKeys(frames: 960)
        #expect(keys.ons.map(\.frame) == [0, 480] && keys.offs.map(\.frame) == [240, 720] && keys.faults.isEmpty)
    }

    @Test func `a held key that is pressed again is struck again`() {
        let driver = driver { $0.send(.melody, target: 2) }
        for frame in [Int64(0), 4800] { driver.schedule(.key(RtKey(.melody, 60, velocity: 100)), at: frame) }
        driver.schedule(.key(RtKey(.melody, 60, velocity: 0)), at: 9600)
        let keys = driver.sentKeys(frames: 14_400)
        #expect(keys.ons.map(\.frame) == [0, 4800] && keys.offs.map(\.frame) == [4800, 9600] && keys.faults.isEmpty)
    }

    @Test func `nobody releases what another holds`() {
        let driver = driver { $0.send(.melody, target: 2) }
        driver.schedule(.key(RtKey(.melody, 60, velocity: 100, owner: 1)), at: 0)
        driver.schedule(.key(RtKey(.melody, 62, velocity: 100, owner: 1)), at: 0)
        driver.press(64, at: 0)
        driver.schedule(.key(RtKey(.melody, 60, velocity: 0, owner: 2)), at: 1000)
        driver.schedule(.key(RtKey(.melody, 64, velocity: 0, owner: 1)), at: 1000)
        driver.letGo(62, at: 1000)
        driver.schedule(.key(RtKey(.melody, 60, velocity: 0, owner: 1)), at: 2000)
        driver.schedule(.key(RtKey(.melody, 62, velocity: 0, owner: 1)), at: 3000)
        driver.letGo(64, at: 4000)
        let keys = driver.sentKeys(frames: 9600)
        #expect(keys.offs.map(\.frame) == [2000, 3000, 4000] && keys.offs.map(\.key) == [60, 62, 64])
    }

    @Test(arguments: [0x7b, 0x78, 0x7c, 0xff])
    func `messages that release all keys release it`(message: Int) {
        let driver = driver { $0.send(.melody, target: 2) }
        driver.schedule(.key(RtKey(.melody, 60, velocity: 100)), at: 0)
        driver.receive(
            message == 0xff ? MidiEvent(frame: 0, 0xff) : MidiEvent(frame: 0, count: 3, 0xb0, UInt8(message), 0),
            at: 3000)
        #expect(driver.sentKeys(frames: 20_000).offs.map(\.frame) == [3000])
    }

    @Test(arguments: [RtCommand.stop, .pause, .releaseKeys, .record(false), .silence])
    func `what releases MIDI keys releases it`(command: RtCommand) {
        var score = Score.with([], bpm: 125)
        score.send(.melody, target: 2)
        let driver = OfflineDriver.playing(score)
        driver.schedule(.key(RtKey(.melody, 60, velocity: 100)), at: 0)
        driver.schedule(.command(command), at: 3000)
        driver.schedule(.key(RtKey(.melody, 60, velocity: 0)), at: 6000)
        let keys = driver.sentKeys(frames: 9600)
        #expect(keys.offs.map(\.frame) == [3000] && keys.faults.isEmpty)
    }

    @Test func `the pedal of the track's channel holds it`() {
        let driver = driver { $0.send(.melody, target: 2) }
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, 64, 127), at: 0)
        driver.schedule(.key(RtKey(.melody, 60, velocity: 100)), at: 10)
        driver.schedule(.key(RtKey(.melody, 60, velocity: 0)), at: 1000)
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, 64, 0), at: 3000)
        #expect(driver.sentKeys(frames: 4800).offs.map(\.frame) == [3000])
    }

    @Test func `it is recorded as if it came from a keyboard`() {
        let driver = OfflineDriver.playing(.with([], bpm: 125, length: 16))
        driver.schedule(.command(.record(true)), at: 0)
        // Steps have 5760 frames.
        driver.schedule(.key(RtKey(.bass, 43, velocity: 120)), at: 3 * 5760 + 200)
        driver.schedule(.key(RtKey(.bass, 43, velocity: 0)), at: 6 * 5760)
        driver.schedule(.key(RtKey(.rhythm, 38, velocity: 40)), at: 5 * 5760)
        driver.render(frames: 8 * 5760) { _ in }
        let notes = driver.fetchNotices().compactMap { if case .recorded(let note) = $0 { note } else { nil } }
        #expect(notes.map(\.track) == [3, 2] && notes.map(\.step) == [5, 3] && notes.map(\.note) == [3, 7])
        #expect(notes.map(\.sustainCount) == [0, 2] && notes.map(\.isAccent) == [false, true])
    }

    @Test func `a key that waited for a hanging driver is not pressed`() {
        let driver = driver { $0.send(.melody, target: 2) }
        #expect(driver.engine.send(RtKey(.melody, 60, velocity: 100), at: 0))
        driver.skip(9600)
        #expect(driver.sentKeys(frames: 480).events.isEmpty)
    }

    @Test func `a key wakes a resting engine`() {
        let driver = driver()
        driver.render(frames: 100_000) { _ in }
        driver.schedule(.key(RtKey(.melody, 60, velocity: 100)), at: 100_000)
        #expect(driver.record(frames: 4800)[.track(.melody)].onset == 0)
    }

    @Test func `the queue tells how much room it has, and takes no more`() {
        let engine = Engine(score: Score())
        let room = engine.keyRoom
        for _ in 0..<room { #expect(engine.send(RtKey(.melody, 60, velocity: 0), at: 0)) }
        #expect(room >= 512 && engine.keyRoom == 0 && !engine.send(RtKey(.melody, 60, velocity: 0), at: 0))
        OfflineDriver(engine).render(frames: 64) { _ in }
        #expect(engine.keyRoom == room)
    }
}

extension RtKey {
    /// A key of a track, held by the first program if not said otherwise.
    init(_ track: Track, _ key: Int, velocity: Int, owner: Int32 = 1) {
        self.init(owner: owner, track: UInt8(track.rawValue), key: UInt8(key), velocity: UInt8(velocity))
    }
}
