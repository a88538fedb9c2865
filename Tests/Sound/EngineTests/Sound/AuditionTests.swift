import Engine
import Instrument
import Music
import OfflineAudio
import TestSupport
import Testing

@Suite struct AuditionTests {
    @Test(arguments: Track.allCases, [16, 64, 1024])
    func `an audition is heard with the first frame of the next period`(track: Track, period: Int) {
        let driver = OfflineDriver(.with([]))
        _ = driver.record(frames: 3 * period, periods: [period])
        #expect(driver.engine.nextFrame == Int64(3 * period))
        #expect(driver.send(.audition(track: Int32(track.rawValue), notes: 0b100, velocity: 1)))
        let samples = driver.record(frames: 2048, periods: [period])[.track(track)]
        #expect(samples.onset == 0)
        #expect(samples.peak > 0.01)
    }

    @Test(arguments: [(0.01, true), (0.1, true), (0.13, false), (2, false)], [64, 1024])
    func `an audition that had to wait much longer than a period is not played`(
        age: (seconds: Double, isHeard: Bool), period: Int
    ) {
        let driver = OfflineDriver(.with([]))
        driver.render(frames: 2 * 48_000 + period, periods: [period]) { _ in }
        let now = Double(driver.frame) / 48_000
        #expect(
            driver.engine.send(
                .audition(track: 2, notes: 1, velocity: 2), at: UInt64((now - age.seconds) * 1e6)))
        #expect(driver.engine.send(.play, at: UInt64((now - age.seconds) * 1e6)))
        #expect((driver.record(frames: 2048, periods: [period])[.track(.bass)].peak > 0) == age.isHeard)
        // What changes the transport must not be lost.
        guard case .transport(.playing, 0, _) = driver.engine.nextNotice() else { return #expect(Bool(false)) }
    }

    @Test func `an audition sounds like a played note of one step`() {
        for (velocity, cell) in [(UInt8(1), Velocity.normal), (2, .accent)] {
            let driver = OfflineDriver(.with([], bpm: 90))
            driver.schedule(.command(.audition(track: 2, notes: 1 << 7, velocity: velocity)), at: 0)
            let played = OfflineDriver.playing(
                .with([TestNote(track: .bass, note: 7, step: 0, velocity: cell)], bpm: 90))
            #expect(driver.record(frames: 9000)[.track(.bass)] == played.record(frames: 9000)[.track(.bass)])
        }
    }

    @Test func `all notes of a chord sound`() {
        let driver = OfflineDriver(.with([]))
        driver.schedule(.command(.audition(track: 1, notes: 0b1001_0001, velocity: 1)), at: 0)
        let spectrum = Spectrum(driver.record(frames: 12_288)[.track(.chords)][2048..<2048 + 4096], sampleRate: 48_000)
        for frequency in [130.81, 164.81, 196.0] {
            #expect(spectrum.peak(in: frequency - 8...frequency + 8) > 0.04, "\(frequency) Hz")
        }
    }

    @Test func `a silent track auditions nothing`() {
        var score = Score.with([])
        score.isSilent[0] = true
        let unmuted = Score.with([])
        let driver = OfflineDriver(score)
        driver.schedule(.command(.audition(track: 0, notes: 1, velocity: 2)), at: 0)
        driver.schedule(.score(unmuted), at: 100)
        #expect(driver.record(frames: 4096)[.track(.melody)].peak == 0)
    }

    @Test func `notes beyond the track and tracks beyond the fourth are ignored`() {
        let driver = OfflineDriver(.with([]))
        driver.schedule(.command(.audition(track: 4, notes: 1, velocity: 2)), at: 0)
        driver.schedule(.command(.audition(track: -1, notes: 1, velocity: 2)), at: 0)
        driver.schedule(.command(.audition(track: 3, notes: 0xf000, velocity: 2)), at: 0)
        let recording = driver.record(frames: 256)
        #expect(EnginePort.audio.allSatisfy { recording[$0].peak == 0 })
    }

    @Test func `stop silences an audition`() {
        let driver = OfflineDriver(.with([]))
        driver.schedule(.command(.audition(track: 0, notes: 1, velocity: 2)), at: 0)
        driver.schedule(.command(.stop), at: 2000)
        let samples = driver.record(frames: 4096)[.track(.melody)]
        #expect(samples[1500..<2000].peak > 0.05 && samples[2240...].peak == 0)
    }

    @Test func `an audition is not erased by an edit of the pattern`() {
        let playing = Score.with([TestNote(track: .melody, note: 0, step: 0)], bpm: 60)
        let audition = OfflineDriver.Change.command(.audition(track: 0, notes: 1, velocity: 2))
        let driver = OfflineDriver.playing(playing)
        driver.schedule(audition, at: 1000)
        driver.schedule(.score(.with([], bpm: 60)), at: 2000)
        #expect(driver.record(frames: 6000)[.track(.melody)][4000...].peak > 0.05)
    }

    @Test(arguments: Track.allCases.filter(\.isPitched), [96, 16])
    func `notes auditioned again while their old voices fade make no click`(track: Track, distance: Int) {
        let chord = RtCommand.audition(track: Int32(track.rawValue), notes: 0x0fff, velocity: 2)
        let calm = OfflineDriver(.with([]))
        calm.schedule(.command(chord), at: 0)
        let slope = calm.record(frames: 4800)[.track(track)][500...].steepestStep
        let driver = OfflineDriver(.with([]))
        for index in 0..<(6000 / distance) { driver.schedule(.command(chord), at: Int64(index * distance)) }
        let samples = driver.record(frames: 7200, periods: [48])[.track(track)]
        #expect(samples.peak > 0.02)
        #expect(samples.steepestStep <= slope + 0.002)
    }

    @Test func `a storm of auditions steals only voices that are already fading`() {
        let driver = OfflineDriver(.with([]))
        for index in 0..<200 {
            let command = RtCommand.audition(track: 1, notes: 0x0fff, velocity: 2)
            driver.schedule(.command(command), at: Int64(index * 16))
        }
        let samples = driver.record(frames: 12_000, periods: [16])[.track(.chords)]
        #expect(samples.peak < 12 * 0.17)
        // The last twelve sound to their end.
        #expect(samples[7000..<7100].peak > 0.1)
        #expect(samples.allSatisfy { $0.isFinite })
    }
}
