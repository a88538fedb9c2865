import Engine
import Music
import OfflineAudio

/// Buffers for what an engine renders unheard.
///
/// Unchecked: only the target's thread uses it.
final class UnheardOutput: @unchecked Sendable {
    static let sampleRate = 8000
    private let buffers = PeriodBuffers()

    /// Renders 1 to 8192 frames that end at a moment.
    func render(_ count: Int, at now: Duration, _ engine: Engine) {
        let end = now / .seconds(1) * Double(Self.sampleRate)
        let start = Int64(end) - Int64(count)
        engine.render(
            RtCycle(
                frameCount: count, startFrame: start, startUsecs: UInt64(max(0, Double(start)) * usecsPerFrame),
                usecsPerFrame: usecsPerFrame, nowUsecs: UInt64(max(0, now / .microseconds(1)))),
            buffers.ports)
        for port in [EnginePort.mainLeft, .mainRight] {
            for sample in UnsafeBufferPointer(start: buffers.samples(of: port), count: count) {
                require(abs(sample) <= 1, "a sample of \(sample) behind the clipper")
            }
        }
    }

    /// Clears what an earlier input left: transport, voices, commands and notices.
    func silence(_ engine: Engine) {
        _ = engine.send(.stop, at: 0)
        _ = engine.send(.silence, at: 0)
        render(RtCycle.longest, at: .seconds(1), engine)
        while engine.nextNotice() != nil {}
        for track in Track.allCases { _ = engine.fetchPeak(track: track.rawValue) }
    }

    private var usecsPerFrame: Double { 1e6 / Double(Self.sampleRate) }
}
