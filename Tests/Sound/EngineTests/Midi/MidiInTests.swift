import Engine
import Foundation
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

/// Notes played at the MIDI input.
@Suite struct MidiInTests {
    private func driver(_ change: (inout Score) -> Void = { _ in }) -> OfflineDriver {
        var score = Score.with([], bpm: 125)
        change(&score)
        return OfflineDriver(score)
    }

    @Test(arguments: [16, 64, 256, 1024], Track.allCases)
    func `a note sounds from the frame on which it arrived`(period: Int, track: Track) {
        let driver = driver()
        driver.press(track.midiPitch(of: 0), channel: track.defaultChannel, at: 5000)
        let samples = driver.record(frames: 20_000, periods: [period])[.track(track)]
        #expect(samples.onset == 5000)
    }

    @Test func `a held voice stays until its key is released, and is released then`() {
        let driver = driver()
        driver.press(60, at: 0)
        driver.letGo(60, at: 96_000)
        let samples = driver.record(frames: 120_000)[.track(.melody)]
        func peak(_ range: Range<Int>) -> Double { Array(samples[range]).peak }
        #expect(peak(90_000..<96_000) > 0.99 * peak(10_000..<16_000) && peak(90_000..<96_000) > 0.03)
        // 60 dB in 0.15 s, and 1 ms more.
        #expect(peak(99_600..<100_000) < 0.4 * peak(90_000..<96_000) && peak(103_300..<120_000) == 0)
        #expect(samples.steepest(in: 95_990..<103_400) < 0.01)
    }

    @Test(arguments: [Track.melody, .chords, .bass], 0..<8)
    func `a held key released after another preset was chosen rings out with its own`(track: Track, preset: Int) {
        func samples(of others: [Int]) -> [Float] {
            var score = Score.with([], bpm: 125)
            score.parameters[.preset, track.rawValue] = Double(preset)
            let driver = OfflineDriver(score)
            driver.press(track.midiPitch(of: 4), channel: track.defaultChannel, at: 0)
            for (index, other) in others.enumerated() {
                score.parameters[.preset, track.rawValue] = Double(other)
                score.parameters[.tone, track.rawValue] = 12
                driver.schedule(.score(score), at: Int64(10_000 + index))
            }
            driver.letGo(track.midiPitch(of: 4), channel: track.defaultChannel, at: 24_000)
            return driver.record(frames: 34_000)[.track(track)]
        }
        let wanted = samples(of: [])
        #expect(wanted[24_000...].peak > 0.001 && wanted.end! < 33_000)
        for other in 0..<8 where other != preset {
            let isTheSame = samples(of: [other]) == wanted
            #expect(isTheSame, "then \(other)")
        }
    }

    @Test func `a drum that is hit before another kit is chosen rings out as it was`() {
        func samples(_ kit: Int, then other: Int?) -> [Float] {
            var score = Score.with([], bpm: 125)
            score.parameters[.kit, Track.rhythm.rawValue] = Double(kit)
            let driver = OfflineDriver(score)
            driver.schedule(.command(.audition(track: 3, notes: 0xfff, velocity: 2)), at: 0)
            if let other {
                score.parameters[.kit, Track.rhythm.rawValue] = Double(other)
                score.parameters[.tone, Track.rhythm.rawValue] = 12
                driver.schedule(.score(score), at: 1003)
            }
            return driver.record(frames: 24_000)[.track(.rhythm)]
        }
        for kit in 0..<5 {
            let wanted = samples(kit, then: nil)
            for other in 0..<5 where other != kit {
                let isTheSame = samples(kit, then: other) == wanted
                #expect(isTheSame, "\(kit), then \(other)")
            }
        }
    }

    @Test(arguments: [(72, 0), (59, 11), (36, 0), (127, 7), (61, 2), (66, 7)])
    func `keys are folded into the track and play the nearest note of the scale`(key: Int, note: Int) {
        let driver = driver { $0.send(.melody, target: 2) }
        driver.press(key, at: 10)
        let keys = driver.sentKeys(frames: 480)
        #expect(keys.ons.map(\.key) == [60 + note])
    }

    @Test func `rhythm plays General MIDI's keys and no others`() {
        let driver = driver { $0.send(.rhythm, target: 2) }
        for key in 0..<128 { driver.press(key, channel: 10, at: Int64(100 + key)) }
        let keys = driver.sentKeys(frames: 480)
        #expect(keys.ons.map(\.key) == Drum.allCases.map(\.generalMIDIKey).sorted())
    }

    @Test func `a silent track plays nothing`() {
        let driver = driver {
            $0.isSilent[0] = true
            $0.send(.melody, target: 2)
        }
        driver.press(60, at: 0)
        #expect(driver.sentKeys(frames: 480).events.isEmpty)
        driver.letGo(60, at: 480)
        #expect(driver.record(frames: 480)[.track(.melody)].peak == 0)
    }

    @Test func `notes that a mute silenced do not come back with the track, but the next key sounds`() {
        func driver() -> OfflineDriver {
            var score = Score.with([], bpm: 125)
            score.send(.melody, target: 2)
            let driver = OfflineDriver(score)
            for (isSilent, frame) in [(true, Int64(4800)), (false, 9600)] {
                score.isSilent[0] = isSilent
                driver.schedule(.score(score), at: frame)
            }
            driver.press(60, at: 0)
            driver.letGo(60, at: 14_400)
            driver.press(60, at: 19_200)
            return driver
        }
        let samples = driver().record(frames: 24_000)[.track(.melody)]
        #expect(samples[..<4800].peak > 0.03 && samples[19_200...].peak > 0.03)
        // 4 ms after the mute everything has faded.
        #expect(samples[(4800 + 192)..<19_200].peak == 0)
        let keys = driver().sentKeys(frames: 24_000)
        #expect(keys.events.map(\.frame) == [0, 4800, 19_200] && keys.faults.isEmpty)
    }

    @Test(arguments: [0x7b, 0x78, 0x7c, 0xff])
    func `messages that release all keys are obeyed`(message: Int) {
        let driver = driver { $0.send(.melody, target: 2) }
        driver.press(60, at: 0)
        driver.press(64, at: 0)
        let reset = MidiEvent(frame: 0, 0xff)
        driver.receive(
            message == 0xff ? reset : MidiEvent(frame: 0, count: 3, 0xb0, UInt8(message), 0), at: 3000)
        let keys = driver.sentKeys(frames: 20_000)
        #expect(keys.offs.map(\.frame) == [3000, 3000] && keys.faults.isEmpty)
    }

    @Test func `the sustain pedal holds and is not sent`() {
        let driver = driver { $0.send(.melody, target: 2) }
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, 64, 127), at: 0)
        driver.press(60, at: 10)
        driver.letGo(60, at: 1000)
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, 64, 0), at: 30_000)
        let keys = driver.sentKeys(frames: 48_000)
        #expect(keys.offs.map(\.frame) == [30_000] && keys.others.isEmpty)
    }

    @Test(arguments: [(UInt8(123), Int64(30_000)), (124, 30_000), (120, 3000), (121, 3000)])
    func `a pedal that is down holds notes through All Notes Off, but not through All Sound Off or a reset`(
        controller: UInt8, end: Int64
    ) {
        let driver = driver { $0.send(.melody, target: 2) }
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, 64, 127), at: 0)
        driver.press(60, at: 10)
        driver.letGo(60, at: 1000)
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, controller, 0), at: 3000)
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, 64, 0), at: 30_000)
        #expect(driver.sentKeys(frames: 48_000).offs.map(\.frame) == [end])
    }

    @Test func `a pedal that is bound while it is down still comes up`() {
        var score = Score.with([], bpm: 125)
        score.send(.melody, target: 2)
        let driver = OfflineDriver(score)
        score.bindings.bind(controller: 64, channel: 0)
        driver.schedule(.score(score), at: 2000)
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, 64, 127), at: 0)
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, 64, 0), at: 3000)
        driver.press(60, at: 10)
        driver.letGo(60, at: 1000)
        driver.press(62, at: 4000)
        driver.letGo(62, at: 5000)
        #expect(driver.sentKeys(frames: 9600).offs.map(\.frame) == [3000, 5000])
    }

    @Test func `a pedal that is down while recording is disarmed still holds what is played next`() {
        let driver = driver { $0.send(.melody, target: 2) }
        driver.schedule(.command(.record(true)), at: 0)
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, 64, 127), at: 0)
        driver.press(60, at: 10)
        driver.letGo(60, at: 1000)
        driver.schedule(.command(.record(false)), at: 2000)
        driver.press(62, at: 4000)
        driver.letGo(62, at: 5000)
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, 64, 0), at: 30_000)
        #expect(driver.sentKeys(frames: 48_000).offs.map(\.frame) == [2000, 30_000])
    }

    @Test func `when a keyboard is unplugged, its keys and pedals are released`() {
        let driver = driver { $0.send(.melody, target: 2) }
        driver.press(60, at: 10)
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, 64, 127), at: 20)
        driver.press(62, at: 30)
        driver.letGo(62, at: 1000)
        driver.schedule(.command(.releaseKeys), at: 3000)
        driver.press(64, at: 4000)
        driver.letGo(64, at: 5000)
        #expect(driver.sentKeys(frames: 9600).offs.map(\.frame) == [3000, 3000, 5000])
    }

    @Test func `nothing starts once the program ends, as nothing would end it`() {
        let driver = driver { $0.send(.melody, target: 2) }
        driver.press(60, at: 10)
        driver.schedule(.command(.silence), at: 1000)
        driver.press(62, at: 1100)
        driver.schedule(.command(.audition(track: 0, notes: 1 << 4, velocity: 1)), at: 1200)
        let keys = driver.sentKeys(frames: 1500)
        #expect(keys.ons.map(\.frame) == [10] && keys.offs.map(\.frame) == [1000] && keys.down.isEmpty)
    }

    @Test(arguments: [false, true])
    func `bend, pressure and controllers go through unchanged, programs and mode messages do not`(isSilent: Bool) {
        let driver = driver {
            $0.send(.bass, target: 1)
            $0.isSilent[Track.bass.rawValue] = isSilent
        }
        let passed: [MidiEvent] = [
            MidiEvent(frame: 0, count: 3, 0xe2, 5, 66), MidiEvent(frame: 0, count: 2, 0xd2, 9),
            MidiEvent(frame: 0, count: 3, 0xa2, 40, 9), MidiEvent(frame: 0, count: 3, 0xb2, 1, 77),
        ]
        let kept: [MidiEvent] = [
            MidiEvent(frame: 0, count: 2, 0xc2, 9), MidiEvent(frame: 0, count: 3, 0xb2, 123, 0),
            // For a track whose notes are not sent.
            MidiEvent(frame: 0, count: 3, 0xe0, 5, 66),
        ]
        for event in passed + kept { driver.receive(event, at: 77) }
        let keys = driver.sentKeys(frames: 256)
        #expect(keys.others.map(\.frame) == [77, 77, 77, 77])
        #expect(
            keys.others.map { [$0.event.status, $0.event.first, $0.event.second] }
                == passed.map { [$0.status, $0.first, $0.second] })
    }

    @Test func `played notes keep their own velocity`() {
        let driver = driver { $0.send(.melody, target: 1) }
        driver.press(60, velocity: 33, at: 0)
        #expect(driver.sentKeys(frames: 256).ons.map(\.velocity) == [33])
    }

    @Test func `a key is released even if another owns its note by then`() {
        let driver = driver { $0.send(.melody, target: 2) }
        driver.press(60, at: 0)
        driver.press(72, at: 4800)
        driver.letGo(60, at: 9600)
        driver.letGo(72, at: 14_400)
        let keys = driver.sentKeys(frames: 30_000)
        #expect(keys.offs.map(\.frame) == [4800, 14_400] && keys.faults.isEmpty)
    }

    @Test func `a step takes over the note, and the key's release does not end it`() {
        var score = Score.with([TestNote(track: .melody, note: 0, step: 2)], bpm: 125)
        score.send(.melody, target: 2)
        let driver = OfflineDriver.playing(score)
        driver.press(60, at: 100)
        driver.letGo(60, at: 12_000)
        let keys = driver.sentKeys(frames: 30_000)
        // Step 2 is at 11520; its note is released as usual.
        #expect(keys.offs.map(\.frame).first == 11_520 && keys.offs.count == 2 && keys.offs[1].frame > 15_000)
    }

    @Test func `bound keys and controllers play nothing`() {
        let driver = driver {
            $0.send(.melody, target: 2)
            $0.bindings.bind(note: 60, channel: 0)
            $0.bindings.bind(controller: 7, channel: 0)
        }
        driver.press(60, at: 0)
        driver.receive(MidiEvent(frame: 0, count: 3, 0xb0, 7, 9), at: 0)
        let keys = driver.sentKeys(frames: 256)
        #expect(keys.events.isEmpty && keys.others.isEmpty)
        #expect(driver.engine.nextArrival()?.message.status == 0x90)
        #expect(driver.engine.newestValue(controller: 7, channel: 0) == 9)
    }

    @Test func `messages are reported with their frames, but ticks are not`() {
        let driver = driver()
        driver.receive(MidiEvent(frame: 0, 0xf8), at: 5)
        driver.press(60, at: 480)
        driver.render(frames: 1000, periods: [256]) { _ in }
        let arrival = driver.engine.nextArrival()
        #expect(arrival?.frame == 480 && arrival?.usecs == 10_000 && arrival?.message.first == 60)
        #expect(driver.engine.nextArrival() == nil)
    }

    @Test func `invalid messages make no sound`() {
        let driver = driver()
        for index in 0..<300 { driver.receive(MidiEvent(frame: 0, count: 3, 0xf0, 60, 0x7f), at: Int64(index)) }
        driver.receive(MidiEvent(frame: 0, count: 3, 60, 0xf7, 60), at: 400)
        #expect(driver.record(frames: 4096)[.mainLeft].peak == 0)
        #expect(driver.engine.midiCounts.skipped > 300)
    }
}

extension OfflineDriver {
    /// Presses a key of a channel, from 1.
    func press(_ key: Int, velocity: Int = 100, channel: Int = 1, at frame: Int64) {
        receive(MidiEvent(frame: 0, count: 3, 0x90 | UInt8(channel - 1), UInt8(key), UInt8(velocity)), at: frame)
    }

    /// Releases a key.
    func letGo(_ key: Int, channel: Int = 1, at frame: Int64) {
        receive(MidiEvent(frame: 0, count: 3, 0x80 | UInt8(channel - 1), UInt8(key), 0), at: frame)
    }
}

extension [Float] {
    /// The greatest difference between consecutive samples.
    fileprivate func steepest(in range: Range<Int>) -> Float {
        range.reduce(0) { Swift.max($0, abs(self[$1 + 1] - self[$1])) }
    }
}
