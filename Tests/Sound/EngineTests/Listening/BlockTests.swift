import Engine
import Music
import OfflineAudio
import Testing

/// The blocks of audio for listeners elsewhere.
struct BlockTests {
    private static let score = Score.with(
        TestNote.sustained(.melody, 0, count: 8) + [
            TestNote(track: .rhythm, note: 0, step: 0), TestNote(track: .rhythm, note: 3, step: 4),
        ])

    /// Renders, and reads all available blocks after each period.
    private func blocks(of driver: OfflineDriver, frames: Int, periods: [Int]) -> [AudioBlock] {
        var blocks: [AudioBlock] = []
        driver.render(frames: frames, periods: periods) { _ in
            while let block = driver.engine.nextBlock() { blocks.append(block) }
        }
        return blocks
    }

    @Test(arguments: [8000, 11_025, 44_100, 48_000, 192_000], [[64], [1024], [8192], [17, 4000, 1]])
    func `blocks hold the main output, a fiftieth of a second each`(rate: Double, periods: [Int]) {
        let driver = OfflineDriver.playing(Self.score, sampleRate: rate)
        driver.engine.setListening(isWanted: true)
        let frames = Int(rate)
        let blocks = blocks(of: driver, frames: frames, periods: periods)
        let recording = OfflineDriver.playing(Self.score, sampleRate: rate).record(frames: frames, periods: [256])
        let length = Int(rate) / 50
        #expect(blocks.count == frames / length)
        for (number, block) in blocks.enumerated() {
            #expect(block.frame == Int64(number * length))
            // The period's start and the frame in it are each rounded to the nearest.
            #expect(abs(Double(block.usecs) - Double(block.frame) * 1e6 / rate) <= 1.001)
            #expect(block.sampleRate == Int(rate))
            let range = number * length..<(number + 1) * length
            let expected = zip(recording[.mainLeft][range], recording[.mainRight][range]).flatMap { [$0, $1] }
            let isExact = block.samples == expected
            #expect(isExact, "block \(number)")
        }
        #expect(blocks.contains { $0.samples.contains { abs($0) > 0.1 } })
    }

    @Test func `nothing is copied while nobody listens, and a returning listener hears current audio`() {
        let driver = OfflineDriver.playing(Self.score)
        #expect(blocks(of: driver, frames: 9600, periods: [480]).isEmpty)
        driver.engine.setListening(isWanted: true)
        driver.render(frames: 2000) { _ in }
        driver.engine.setListening(isWanted: false)
        driver.render(frames: 5000) { _ in }
        driver.engine.setListening(isWanted: true)
        #expect(blocks(of: driver, frames: 2000, periods: [100]).map(\.frame) == [16_600, 17_560])
    }

    @Test func `where the driver skipped frames, the next block begins after them`() {
        let driver = OfflineDriver.playing(Self.score)
        driver.engine.setListening(isWanted: true)
        #expect(blocks(of: driver, frames: 1000, periods: [500]).map(\.frame) == [0])
        driver.skip(12_345)
        #expect(blocks(of: driver, frames: 2000, periods: [500]).map(\.frame) == [13_345, 14_305])
    }

    @Test func `a slow listener misses whole blocks, and then hears current audio`() {
        let driver = OfflineDriver.playing(Self.score)
        driver.engine.setListening(isWanted: true)
        driver.render(frames: 192_000) { _ in }
        var frames: [Int64] = []
        while let block = driver.engine.nextBlock() { frames.append(block.frame) }
        #expect(frames == (0..<64).map { $0 * 960 })
        let recording = OfflineDriver.playing(Self.score).record(frames: 194_880)
        let blocks = blocks(of: driver, frames: 2880, periods: [333])
        #expect(blocks.map(\.frame) == [192_000, 192_960, 193_920])
        for block in blocks { #expect(block.samples[0] == recording[.mainLeft][Int(block.frame)]) }
    }

    @Test func `a new sample rate begins with a new block`() throws {
        let engine = Engine(score: Self.score)
        let first = try OfflineDriver(engine: engine, sampleRate: 48_000)
        engine.setListening(isWanted: true)
        #expect(blocks(of: first, frames: 1500, periods: [500]).map(\.samples.count) == [1920])
        let second = try OfflineDriver(engine: engine, sampleRate: 44_100)
        let blocks = blocks(of: second, frames: 2000, periods: [500])
        #expect(blocks.map(\.samples.count) == [1764, 1764])
        #expect(blocks.map(\.sampleRate) == [44_100, 44_100])
    }
}
