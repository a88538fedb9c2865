import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// JACK's transport as the source of time, in frames.
@Suite struct JackFollowingTests {
    static func score(bpm: Double = 120, length: Int = 32, swing: Double = 0.5) -> Score {
        var score = Score.with([], bpm: bpm, swing: swing, length: length)
        score.sync.source = .jack
        return score
    }

    private func rig(bpm: Double = 120, length: Int = 32) -> (OfflineDriver, SharedTransportModel) {
        let driver = OfflineDriver(Self.score(bpm: bpm, length: length))
        return (driver, SharedTransportModel(driver))
    }

    /// How far each step is from its exact time, in frames, when the transport's frame 0 lies on a frame of the driver.
    private func errors(_ steps: [StartedStep], bpm: Double, origin: Int64, first: Int) -> [Double] {
        steps.enumerated().map { index, step in
            Double(step.frame - origin) - Double(first + index) * 48_000 * 15 / bpm
        }
    }

    @Test(arguments: [16, 64, 256, 1000, 2048])
    func `without a master every step is on its frame of the transport`(period: Int) {
        let (driver, transport) = rig(bpm: 127.3)
        transport.roll(from: 1_000_000)
        driver.render(frames: 480_000, periods: [period]) { _ in }
        let steps = driver.fetchSteps()
        // 1000000 frames are 176.8 steps.
        #expect(steps.first?.step == 177 % 32)
        let errors = errors(steps, bpm: 127.3, origin: -1_000_000, first: 177)
        Figures.show("JACK without a master, period \(period)", errors.map { $0 / 48 })
        let worst = errors.map(abs).max() ?? .infinity
        #expect(steps.count == 85 && worst <= 1)
    }

    @Test(arguments: [16, 64, 256, 1000, 2048], [61.7, 120, 174])
    func `with a master that counts whole ticks steps are within half a millisecond`(period: Int, bpm: Double) {
        let (driver, transport) = rig(bpm: 99)
        transport.master = { .ticking($0, bpm: bpm) }
        transport.roll()
        driver.render(frames: 960_000, periods: [period]) { _ in }
        let steps = driver.fetchSteps()
        let errors = errors(steps, bpm: bpm, origin: 0, first: 0)
        Figures.show("JACK master of whole ticks, \(bpm) BPM, period \(period)", errors.map { $0 / 48 })
        let worst = errors.map(abs).max() ?? .infinity
        #expect(steps.count == Int((20 * bpm / 15).rounded(.up)) && worst <= 24)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
    }

    @Test(arguments: [false, true], [0, 1500])
    func `the music goes on where JACK's frame number begins again`(isOurs: Bool, missed: Int) {
        let (driver, transport) = rig()
        transport.isOurs = isOurs
        transport.roll(from: 1 << 32 - 10_000)
        driver.render(frames: 8704, periods: [256]) { _ in }
        driver.skip(missed)
        transport.skip(missed)
        driver.render(frames: 48_000 - 8704 - missed, periods: [256]) { _ in }
        // 2^32 frames are 715827.9 steps.
        let steps = driver.fetchSteps()
        #expect(steps.map(\.step) == (0..<8).map { (715_827 + $0) % 32 })
        #expect(steps.enumerated().allSatisfy { abs($1.frame - 4704 - 6000 * Int64($0)) <= 1 })
        let bar = driver.engine.realtime.publishBar(at: transport.frame)
        #expect(bar.bar == 715_834 / 16 + 1 && bar.beat == 715_834 % 16 / 4 + 1)
    }

    @Test(arguments: [16, 256, 2048])
    func `a second instrument is within a frame of the one that leads`(period: Int) {
        var leading = Score.with([], bpm: 127.3)
        leading.sync.leadsJack = true
        let leader = OfflineDriver(leading)
        let transport = SharedTransportModel(leader)
        transport.isOurs = true
        let (follower, _) = rig(bpm: 60)
        transport.roll(from: 333_333)
        var told = OutsidePosition()
        follower.outside = { _ in told }
        for _ in 0..<(960_000 / period) {
            // The follower reads in each cycle what the leader published after the last.
            told = OutsidePosition(
                isRolling: transport.isRolling, frame: transport.frame,
                bar: leader.engine.realtime.publishBar(at: transport.frame))
            leader.render(frames: period, periods: [period]) { _ in }
            follower.render(frames: period, periods: [period]) { _ in }
        }
        let (lead, followed) = (leader.fetchSteps(), follower.fetchSteps())
        #expect(lead.count > 150 && abs(lead.count - followed.count) <= 1)
        let frames = Dictionary(uniqueKeysWithValues: lead.enumerated().map { ($0.offset, $0.element) })
        let shift = followed.first?.step == lead.first?.step ? 0 : 1
        Figures.show(
            "a second instrument on JACK's transport, period \(period)",
            zip(lead.dropFirst(shift), followed).map { Double($0.frame - $1.frame) / 48 })
        for (index, step) in followed.enumerated() {
            guard let other = frames[index + shift] else { continue }
            #expect(other.step == step.step && abs(other.frame - step.frame) <= 1)
        }
    }

    @Test func `starts and stops are the transport's, and ours are requests to it`() {
        let (driver, transport) = rig(bpm: 150)
        _ = driver.send(.play)
        driver.render(frames: 1024, periods: [256]) { _ in }
        // Requested in the first cycle, starting in the second, rolling in the third.
        #expect(driver.fetchSteps() == [StartedStep(step: 0, frame: 512)])
        driver.render(frames: 9600 - 1024, periods: [256]) { _ in }
        _ = driver.send(.pause)
        driver.render(frames: 2560, periods: [256]) { _ in }
        #expect(!transport.isRolling)
        #expect(driver.fetchNotices().last.map(Self.words) == "paused 1")
        _ = driver.send(.stop)
        driver.render(frames: 512, periods: [256]) { _ in }
        #expect(transport.frame == 0)
        #expect(driver.fetchNotices().last.map(Self.words) == "stopped 0")
    }

    static func words(_ notice: RtNotice) -> String {
        switch notice {
        case .step(let step): "step \(step.step) at \(step.frame)"
        case .launch(let track, let launch): "track \(track) slot \(launch.slot) at \(launch.frame)"
        case .transport(let state, let step, _): "\(state) \(step)"
        case .trackStep, .earlyNote, .recorded, .played, .key: "\(notice)"
        }
    }

    @Test func `another client's start and relocation are followed in the same cycle`() {
        let (driver, transport) = rig(bpm: 150)
        transport.start()
        driver.render(frames: 10_240, periods: [256]) { _ in }
        #expect(driver.fetchSteps() == [0, 1, 2].map { StartedStep(step: $0, frame: 256 + Int64($0) * 4800) })
        transport.locate(7 * 4800 - 100)
        driver.render(frames: 1024, periods: [256]) { _ in }
        // It stops for a cycle; step 7 comes 100 frames after it rolls again.
        #expect(driver.fetchNotices().map(Self.words) == ["paused 6", "playing 6", "step 7 at \(10_240 + 256 + 100)"])
    }

    @Test func `locating moves the transport, under another master relative to its place`() {
        let (driver, transport) = rig(bpm: 150)
        _ = driver.send(.locate(step: 5))
        driver.render(frames: 512, periods: [256]) { _ in }
        #expect(transport.frame == 5 * 4800)
        // A master at another tempo, which counts from elsewhere: step 5 is 10 steps after its place.
        transport.master = { .ticking($0 + 1000 - 24_000 + 80_000, bpm: 75) }
        transport.locate(0)
        driver.render(frames: 512, periods: [256]) { _ in }
        let place = (1000.0 - 24_000 + 80_000) / 9600
        _ = driver.send(.locate(step: 9))
        driver.render(frames: 512, periods: [256]) { _ in }
        #expect(abs(Double(transport.frame) - (9 - place) * 9600) <= 13)
    }

    @Test func `a change of length lands where the song position is`() {
        let (driver, transport) = rig(bpm: 150)
        transport.roll(from: 20 * 4800)
        driver.render(frames: 2400, periods: [240]) { _ in }
        driver.engine.publish(Self.score(bpm: 150, length: 12))
        driver.render(frames: 9600, periods: [240]) { _ in }
        #expect(driver.fetchSteps().map(\.step) == [20, 21 % 12, 22 % 12])
    }

    @Test func `a master that changes its tempo is followed without a step too many`() {
        let (driver, transport) = rig()
        var beats = 0.0
        var last: Int64 = 0
        transport.master = { frame in
            let bpm = frame < 240_000 ? 120.0 : 171
            beats += Double(frame - last) / 48_000 / 60 * bpm
            last = frame
            return BarPosition(
                bar: Int32(beats / 4) + 1, beat: Int32(Int(beats) % 4) + 1,
                tick: ((beats - beats.rounded(.down)) * 1920).rounded(.down), bpm: bpm)
        }
        transport.roll()
        driver.render(frames: 960_000, periods: [256]) { _ in }
        let steps = driver.fetchSteps()
        #expect(zip(steps, steps.dropFirst()).allSatisfy { ($0.step + 1) % 32 == $1.step })
        // The beats are those at the last period's first frame.
        #expect(abs(Double(steps.count) - beats * 4) <= 1.1)
    }

    @Test(arguments: [(Speed.normal, [0, 2880, 7680]), (.double, [0, 480, 2880, 5280, 7680])])
    func `where an early offset leaves several steps behind a start, the first is late, and the others are left out`(
        speed: Speed, frames: [Int64]
    ) {
        var score = Score.with((0..<32).map { TestNote(track: .melody, note: 0, step: $0) }, bpm: 150)
        score.send(.melody, target: 1)
        score[playing: Track.melody.rawValue].time.speed = speed
        // 1.4 steps.
        score.sync = SyncSettings(source: .jack, offsetIn: -0.14)
        let driver = OfflineDriver(score)
        let transport = SharedTransportModel(driver)
        driver.render(frames: 512, periods: [256]) { _ in }
        transport.roll()
        let keys = driver.sentKeys(frames: 9600)
        #expect(keys.ons.map { $0.frame - 512 } == frames)
        #expect(driver.fetchSteps().map(\.step) == [0, 1, 2, 3])
    }

    @Test func `a jump that is no start plays no step of before it, however early we are`() {
        var score = Self.score(bpm: 150)
        score.sync.offsetIn = -0.2
        let driver = OfflineDriver(score)
        let transport = SharedTransportModel(driver)
        var shift: Int64 = 0
        transport.master = { .ticking($0 + shift, bpm: 150) }
        transport.roll()
        driver.render(frames: 24_000, periods: [240]) { _ in }
        _ = driver.fetchSteps()
        // The master is in the middle of step 21 then, and we are two steps further.
        shift = 79_200
        driver.render(frames: 9600, periods: [240]) { _ in }
        #expect(driver.fetchSteps().map(\.step) == [24, 25])
    }

    @Test func `without a master a change of our tempo moves to where the formula says`() {
        let (driver, transport) = rig(bpm: 150)
        transport.roll(from: 100 * 4800)
        driver.render(frames: 2560, periods: [256]) { _ in }
        driver.engine.publish(Self.score(bpm: 75))
        driver.render(frames: 20_480, periods: [256]) { _ in }
        #expect(
            driver.fetchSteps()
                == [4, 19, 20].enumerated().map { index, step in
                    StartedStep(step: step, frame: index == 0 ? 0 : Int64(index) * 9600)
                })
    }
}
