import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// Nothing that a performer does makes a pitched port step by more than its waveform does by itself, plus 0.002.
@Suite struct ClickTests {
    /// When the deed happens: during the note, somewhere in its waveform.
    private static let frame: Int64 = 5003

    /// What can be done to a sounding note.
    enum Deed: String, CaseIterable {
        case nothing, stop, pause, silence, locate, play, mute, solo, gain, pan, erase, shorten, audition
        case otherPattern, slower, faster, swing, length, launch
        case sends, duck, effects
    }

    private func score(_ track: Track) -> Score {
        var score = Score.with(TestNote.sustained(track, 4, count: 3), bpm: 240, length: 16)
        score.set(TestNote(track: track, note: 4, step: 4))
        return score
    }

    private func changes(_ deed: Deed, _ track: Track) -> [OfflineDriver.Change] {
        var score = score(track)
        switch deed {
        case .nothing: return []
        case .stop: return [.command(.stop)]
        case .pause: return [.command(.pause), .command(.play)]
        case .silence: return [.command(.silence)]
        case .locate: return [.command(.locate(step: 0))]
        case .play: return [.command(.play)]
        case .audition: return [.command(.audition(track: Int32(track.rawValue), notes: 1 << 4, velocity: 2))]
        case .mute: score.isSilent[track.rawValue] = true
        case .solo: for other in 0..<4 { score.isSilent[other] = other != (track.rawValue + 1) % 4 }
        case .gain: score.mix(track, gain: 0.1)
        case .pan: score.mix(track, right: 0)
        case .erase: score.notes = Score().notes
        case .shorten: for step in 1...3 { score.set(TestNote(track: track, note: 4, step: step, velocity: .off)) }
        case .otherPattern: score = .with([TestNote(track: track, note: 7, step: 1)], bpm: 200, length: 8)
        case .slower: score.parameters[.tempo] = 40
        case .faster: score.parameters[.tempo] = 300
        case .swing: score.parameters[.swing] = 0.75
        case .length: score.parameters[.length] = 9
        case .launch: score = score.queued(at: .step)
        case .sends:
            score.parameters[.reverb, track.rawValue] = 0
            score.parameters[.delay, track.rawValue] = 0
        case .duck: score.parameters[.duck, track.rawValue] = 12
        case .effects:
            score.parameters[.reverbTime] = 0.3
            score.parameters[.delaySteps] = 1
            score.parameters[.delayFeedback] = 0.9
            score.parameters[.reverbLevel] = 6
            score.parameters[.delayLevel] = 6
        }
        return [.score(score)]
    }

    private func record(_ deed: Deed, _ track: Track, sampleRate: Double) -> OfflineRecording {
        let driver = OfflineDriver.playing(score(track), sampleRate: sampleRate)
        for change in changes(deed, track) { driver.schedule(change, at: Self.frame) }
        return driver.record(frames: Int(0.3 * sampleRate), periods: [256])
    }

    @Test(arguments: Track.allCases.filter(\.isPitched), Deed.allCases)
    func `no click`(track: Track, deed: Deed) {
        // The steepest slope of the note at its full level, from where it is steady and nothing starts or ends.
        let untouched = record(.nothing, track, sampleRate: 44_100)[.track(track)]
        let slope = untouched[500..<3000].steepestStep
        let samples = record(deed, track, sampleRate: 44_100)
        #expect(samples[.track(track)].steepestStep <= slope + 0.002)
        #expect(samples[.mainLeft].steepestStep <= slope + 0.002)
        #expect(samples[.mainRight].steepestStep <= slope + 0.002)
    }

    @Test(arguments: Track.allCases, [Deed.stop, .pause, .silence, .mute, .solo, .erase])
    func `what is silenced is silent after 5 ms`(track: Track, deed: Deed) {
        let driver = OfflineDriver.playing(.with([TestNote(track: track, note: 8, step: 0)], bpm: 120))
        var changes = changes(deed, track)
        if case .pause = deed { changes.removeLast() }
        for change in changes { driver.schedule(change, at: 3000) }
        let samples = driver.record(frames: 8000)[.track(track)]
        #expect(samples[2500..<3000].peak > 0.005)
        #expect(samples[3000..<3100].peak > 0.0005, "it fades, it is not cut")
        #expect(samples[3240...].peak == 0)
    }

    @Test func `gain and pan arrive within 5 ms`() {
        let driver = OfflineDriver.playing(.with(TestNote.sustained(.melody, 0, count: 8), bpm: 60))
        var score = Score.with(TestNote.sustained(.melody, 0, count: 8), bpm: 60)
        score.mix(.melody, gain: 0.25, left: 1, right: 0)
        driver.schedule(.score(score), at: 9600)
        let changed = driver.record(frames: 12_000)
        let plain = OfflineDriver.playing(.with(TestNote.sustained(.melody, 0, count: 8), bpm: 60)).record(
            frames: 12_000)
        for frame in 9840..<12_000 {
            #expect(changed[.track(.melody)][frame] == 0.25 * plain[.track(.melody)][frame])
            #expect(changed[.mainLeft][frame] == changed[.track(.melody)][frame])
            #expect(changed[.mainRight][frame] == 0)
        }
    }

    @Test(arguments: Track.allCases.filter(\.isPitched))
    func `unmuting a sounding note makes no click`(track: Track) {
        let plain = record(.nothing, track, sampleRate: 44_100)[.track(track)]
        var muted = score(track)
        muted.isSilent[track.rawValue] = true
        let driver = OfflineDriver.playing(muted, sampleRate: 44_100)
        driver.schedule(.score(score(track)), at: Self.frame)
        let samples = driver.record(frames: 8000)[.track(track)]
        #expect(samples[(Int(Self.frame) + 300)...].peak > 0.01)
        #expect(samples.steepestStep <= plain[500..<3000].steepestStep + 0.002)
    }

    @Test(arguments: Track.allCases.filter(\.isPitched))
    func `a note struck again and again while it sounds makes no click`(track: Track) {
        // At 300 BPM a step is a third of the shortest note.
        let once = OfflineDriver.playing(.with([TestNote(track: track, note: 9, step: 0)], bpm: 300)).record(
            frames: 4800)
        let often = OfflineDriver.playing(
            .with((0..<8).map { TestNote(track: track, note: 9, step: $0) }, bpm: 300, length: 8)
        ).record(frames: 24_000)
        let slope = once[.track(track)][500...].steepestStep
        #expect(often[.track(track)].steepestStep <= slope + 0.002)
    }

    @Test func `the clipper never steps further than what it clips`() {
        // Chords that come and go, far above full scale.
        var cells: [TestNote] = []
        for (step, notes) in [0: [0, 3, 7, 10], 2: [1, 4, 8, 11]] {
            cells += notes.flatMap {
                [TestNote(track: .chords, note: $0, step: step), TestNote(track: .bass, note: $0, step: step)]
            }
        }
        var score = Score.with(cells, bpm: 240)
        for track in [Track.chords, .bass] { score.mix(track, gain: 5, left: 0.8, right: 0.6) }
        let recording = OfflineDriver.playing(score).record(frames: 14_000)
        for (port, factor) in [(EnginePort.mainLeft, Float(0.8)), (.mainRight, 0.6)] {
            let unlimited = zip(recording[.track(.chords)], recording[.track(.bass)]).map { ($0 + $1) * factor }
            let limited = recording[port]
            #expect(unlimited.peak > 0.95 && limited.peak > 0.8 && limited.peak <= 1)
            for frame in 1..<limited.count {
                let step = abs(limited[frame] - limited[frame - 1])
                #expect(step <= abs(unlimited[frame] - unlimited[frame - 1]) + 1e-6, "frame \(frame)")
            }
        }
    }
}
