import PixelBoopClient
import TestSupport
import Wire

/// Blocks of topic `audio` as a window that can be compared with a take.
struct AudioWindow {
    /// 16-bit samples have triangular noise and are rounded: up to 1.5 steps each, one more at full scale.
    private static let tolerance: Float = 3 / 32_768

    private(set) var runs: [[Float]] = []
    private var next: Int64?

    /// Hears a block. Where frames are missing, the driver was late or this listener was: the take has no gap there, or
    /// another one.
    mutating func hear(_ block: AudioEvent) {
        if block.frame != next { runs.append([]) }
        next = block.frame + Int64(block.frameCount)
        let samples = block.pcm?.samples16.map { Float($0) / 32_768 }
        runs[runs.count - 1] += samples ?? Array(repeating: 0, count: 2 * block.frameCount)
    }

    /// Listens for some seconds.
    ///
    /// - Returns: Nil if no take was recorded all the time.
    static func listen(for seconds: Int, at stage: SoakStage) async throws -> TakeWindow? {
        let client = try await PixelBoopClient.connect(to: stage.socketPath)
        defer { client.close() }
        guard let take = try await stage.currentTake()?.number else { return nil }
        var window = AudioWindow()
        var count = 0
        for try await case .audio(let block) in try await client.subscribe(to: [.audio]) {
            window.hear(block)
            count += 1
            if count == 50 * seconds { break }
        }
        // What is heard last may not be stored if the daemon is killed.
        try await Task.sleep(for: .seconds(SoakStage.longestLossOfTake))
        guard try await stage.currentTake()?.number == take else { return nil }
        return TakeWindow(take: take, runs: window.runs, tolerance: tolerance)
    }
}
