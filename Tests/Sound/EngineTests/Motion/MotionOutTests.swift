import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport
import Testing

/// Motions at the MIDI output.
@Suite struct MotionOutTests {
    private static let cells = (0..<32).map { TestNote(track: .bass, note: 3, step: $0) }

    private func score(target: Double = 2) -> Score {
        var score = Score.with(Self.cells, bpm: 125, length: 8)
        score.send(.bass, target: target)
        score.parameters[.gain, Track.bass.rawValue] = -6
        score.move((.bass, .gain, [0: -24, 4: 6]), (.bass, .pan, [0: -1, 4: 1]), (.bass, .tone, [2: -12]))
        return score
    }

    /// Controller and value by frame.
    private func controllers(_ keys: SentKeys) -> [(frame: Int64, number: UInt8, value: UInt8)] {
        keys.others.map { ($0.frame, $0.event.first, $0.event.second) }
    }

    @Test func `gain, pan and tone are sent as controllers when they change, at most 100 a second each`() {
        let keys = OfflineDriver.playing(score()).sentKeys(frames: 23_040)
        #expect(keys.faults.isEmpty)
        #expect(keys.others.allSatisfy { $0.event.status == 0xb2 })
        let sent = controllers(keys)
        for (number, value) in [
            (7, { (share: Double) in min(127, (127 * pow(10, (-24 + 30 * share) / 40)).rounded()) }),
            (10, { (share: Double) in (127 * share).rounded() }), (74, { _ in (127.0 * 12 / 48).rounded() }),
        ] as [(UInt8, (Double) -> Double)] {
            let events = sent.filter { $0.number == number }
            #expect(events.first?.frame == 0)
            for (event, next) in zip(events, events.dropFirst()) {
                #expect(next.frame - event.frame >= 480 && next.value != event.value)
            }
            for event in events { #expect(Double(event.value) == value(Double(event.frame) / 23_040)) }
        }
        #expect(sent.filter { $0.number == 74 }.count == 1 && sent.filter { $0.number == 10 }.count > 40)
    }

    @Test(arguments: [[16], [1000], [8192], [64, 17, 1000, 3, 256]])
    func `controllers are sent on the same frames whatever the period`(periods: [Int]) {
        func sent(_ periods: [Int]) -> [[Int64]] {
            let driver = OfflineDriver.playing(score())
            driver.schedule(.command(.stop), at: 30_001)
            driver.schedule(.command(.play), at: 31_003)
            let keys = driver.sentKeys(frames: 48_000, periods: periods)
            #expect(keys.faults.isEmpty)
            return controllers(keys).map { [$0.frame, Int64($0.number), Int64($0.value)] }
        }
        #expect(sent(periods) == sent([512]))
    }

    @Test func `when the music stops the mixer's values are sent`() {
        let driver = OfflineDriver.playing(score())
        driver.schedule(.command(.stop), at: 30_001)
        let keys = driver.sentKeys(frames: 48_000)
        let last = controllers(keys).filter { $0.frame >= 30_001 }
        #expect(Set(last.map { [$0.number, $0.value] }) == [[7, 90], [10, 64], [74, 64]])
        #expect(last.allSatisfy { $0.frame < 30_001 + 960 })
    }

    @Test(arguments: [false, true], [false, true])
    func `when a motion ends while the notes are not sent, the mixer's values are sent as soon as they are`(
        isMuted: Bool, isStopped: Bool
    ) {
        var unsent = score()
        if isMuted { unsent.isSilent[Track.bass.rawValue] = true } else { unsent.send(.bass, target: 0) }
        let driver = OfflineDriver.playing(score())
        driver.schedule(.score(unsent), at: 10_000)
        var sent = score()
        if isStopped {
            driver.schedule(.command(.stop), at: 15_000)
        } else {
            unsent.clearMotions()
            sent.clearMotions()
            driver.schedule(.score(unsent), at: 15_000)
        }
        driver.schedule(.score(sent), at: 20_000)
        let later = controllers(driver.sentKeys(frames: 30_000)).filter { $0.frame >= 10_000 }
        #expect(later.map { [$0.number, $0.value] } == [[7, 90], [10, 64], [74, 64]])
        #expect(later.allSatisfy { $0.frame == 20_000 })
    }

    @Test func `a motion that is still there when the notes are sent again is sent at once`() {
        var silent = score()
        silent.isSilent[Track.bass.rawValue] = true
        let driver = OfflineDriver.playing(score())
        driver.schedule(.score(silent), at: 10_000)
        driver.schedule(.score(score()), at: 20_000)
        let later = controllers(driver.sentKeys(frames: 20_400)).filter { $0.frame >= 10_000 }
        #expect(later.map(\.number) == [7, 10] && later.allSatisfy { $0.frame == 20_000 })
    }

    @Test func `the mixer's values are sent after a driver's return, too, if the motion has ended`() {
        let before = OfflineDriver.playing(score())
        _ = before.sentKeys(frames: 10_000)
        let driver = OfflineDriver(before.engine)
        _ = driver.send(.suspend)
        let sent = controllers(driver.sentKeys(frames: 960)).filter { $0.number != 123 }
        #expect(sent.count == 3 && Set(sent.map { [$0.number, $0.value] }) == [[7, 90], [10, 64], [74, 64]])
    }

    @Test func `new receivers are sent everything`() {
        let driver = OfflineDriver.playing(score())
        _ = driver.sentKeys(frames: 10_000)
        driver.connectionCount += 1
        let sent = controllers(driver.sentKeys(frames: 1000)).filter { $0.number != 123 }
        #expect(Set(sent.map(\.number)) == [7, 10, 74])
    }

    @Test func `nothing is sent for tracks that only play voices, or are silent`() {
        #expect(OfflineDriver.playing(score(target: 0)).sentKeys(frames: 9600).others.isEmpty)
        var silent = score()
        silent.isSilent[Track.bass.rawValue] = true
        #expect(OfflineDriver.playing(silent).sentKeys(frames: 9600).others.isEmpty)
    }

    @Test func `parameters that do not move are not sent`() {
        var still = score()
        still.clearMotions()
        #expect(OfflineDriver.playing(still).sentKeys(frames: 9600).others.isEmpty)
    }
}
