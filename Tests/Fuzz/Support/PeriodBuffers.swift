import Engine

/// Room for what an engine renders and nobody hears.
///
/// Unchecked: only the thread that runs the target uses it.
final class PeriodBuffers: @unchecked Sendable {
    static let sampleRate = 8000
    private static let capacity = 8192
    private let storage = UnsafeMutablePointer<Float>.allocate(capacity: 6 * capacity)

    deinit { storage.deallocate() }

    /// Renders so many frames, 1 to 8192, that end at a moment.
    func render(_ count: Int, at now: Duration, _ engine: Engine) {
        let end = now / .seconds(1) * Double(Self.sampleRate)
        let start = Int64(end) - Int64(count)
        engine.render(
            RtCycle(
                frameCount: count, startFrame: start, startUsecs: UInt64(max(0, Double(start)) * usecsPerFrame),
                usecsPerFrame: usecsPerFrame, nowUsecs: UInt64(max(0, now / .microseconds(1)))),
            into: RtBuffers(
                mainLeft: buffer(0), mainRight: buffer(1), melody: buffer(2), chords: buffer(3), bass: buffer(4),
                rhythm: buffer(5)))
        for sample in UnsafeBufferPointer(start: storage, count: 2 * Self.capacity) {
            require(abs(sample) <= 1, "a sample of \(sample) behind the clipper")
        }
    }

    /// Ends what an earlier input left: transport, voices, commands and notices.
    func silence(_ engine: Engine) {
        _ = engine.send(.stop, at: 0)
        _ = engine.send(.silence, at: 0)
        render(Self.capacity, at: .seconds(1), engine)
        while engine.nextNotice() != nil {}
        for track in 0..<4 { _ = engine.takePeak(track: track) }
    }

    private var usecsPerFrame: Double { 1e6 / Double(Self.sampleRate) }

    private func buffer(_ index: Int) -> UnsafeMutablePointer<Float> { storage + index * Self.capacity }
}
