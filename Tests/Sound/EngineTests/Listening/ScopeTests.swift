import Engine
import Music
import OfflineAudio
import Testing

struct ScopeTests {
    private static let score = Score.with(
        TestNote.sustained(.melody, 0, count: 8) + TestNote.sustained(.bass, 2, step: 2, count: 8)
            + [TestNote(track: .rhythm, note: 0, step: 0), TestNote(track: .rhythm, note: 3, step: 4)])

    /// Renders, and reads a trace whenever there is one.
    private func traces(of driver: OfflineDriver, seconds: Double, periods: [Int]) -> [ScopeTrace] {
        var traces: [ScopeTrace] = []
        driver.render(frames: Int(seconds * driver.sampleRate), periods: periods) { _ in
            if let trace = driver.engine.fetchTrace() { traces.append(trace) }
        }
        return traces
    }

    private static func thousandths(_ sample: Float) -> Int16 {
        let scaled = max(-1, min(1, sample)) * 1000
        return Int16(scaled < 0 ? scaled - 0.5 : scaled + 0.5)
    }

    @Test(arguments: [8000, 44_100, 48_000, 96_000], [[64], [250], [17, 200]])
    func `a trace has the lowest and the highest sample of each part, and the tracks' peaks`(
        rate: Double, periods: [Int]
    ) {
        let driver = OfflineDriver.playing(Self.score, sampleRate: rate)
        driver.engine.setScope(isWanted: true)
        let traces = traces(of: driver, seconds: 1.01, periods: periods)
        let recording = OfflineDriver.playing(Self.score, sampleRate: rate).record(seconds: 1.01, periods: periods)
        #expect(traces.count == 30)
        let main = zip(recording[.mainLeft], recording[.mainRight]).map { ($0, $1) }
        func frame(_ part: Int) -> Int { (part * Int(rate) + 3839) / 3840 }
        for (number, trace) in traces.enumerated() {
            for part in 0..<128 {
                let samples = main[frame(number * 128 + part)..<frame(number * 128 + part + 1)]
                #expect(trace.lows[part] == Self.thousandths(samples.map { min($0, $1) }.min() ?? 0))
                #expect(trace.highs[part] == Self.thousandths(samples.map { max($0, $1) }.max() ?? 0))
            }
            let frames = frame(number * 128)..<frame((number + 1) * 128)
            for track in Track.allCases {
                let peak = recording[.track(track)][frames].map(abs).max() ?? 0
                #expect(trace.peaks[track.rawValue] == Self.thousandths(peak))
            }
            #expect(abs(Double(trace.usecs) - Double(frames.upperBound) * 1e6 / rate) <= 1.001)
        }
        #expect(traces.contains { $0.peaks[Track.bass.rawValue] > 10 })
    }

    @Test func `nothing is measured while no trace is wanted`() {
        let driver = OfflineDriver.playing(Self.score)
        #expect(traces(of: driver, seconds: 0.5, periods: [480]).isEmpty)
        driver.engine.setScope(isWanted: true)
        #expect(traces(of: driver, seconds: 0.5, periods: [480]).count == 15)
        driver.engine.setScope(isWanted: false)
        #expect(traces(of: driver, seconds: 0.5, periods: [480]).isEmpty)
    }

    @Test func `a trace holds nothing from before it was wanted`() throws {
        let driver = OfflineDriver.playing(Self.score)
        driver.engine.setScope(isWanted: true)
        _ = traces(of: driver, seconds: 0.02, periods: [480])
        driver.engine.setScope(isWanted: false)
        driver.schedule(.command(.stop), at: driver.frame)
        _ = traces(of: driver, seconds: 3, periods: [480])
        driver.engine.setScope(isWanted: true)
        let trace = try #require(traces(of: driver, seconds: 0.04, periods: [480]).first)
        for part in 0..<ScopeTrace.partCount { #expect(trace.lows[part] == 0 && trace.highs[part] == 0) }
        for track in Track.allCases { #expect(trace.peaks[track.rawValue] == 0) }
    }

    @Test func `only the newest trace is kept`() {
        let driver = OfflineDriver.playing(Self.score)
        driver.engine.setScope(isWanted: true)
        driver.render(frames: 48_000) { _ in }
        #expect(driver.engine.fetchTrace().map { (999_998...1_000_000).contains($0.usecs) } == true)
        #expect(driver.engine.fetchTrace() == nil)
    }
}
