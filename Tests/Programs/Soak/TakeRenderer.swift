import Foundation
import PixelBoopClient
import TestSupport

/// Lets a daemon render takes, and compares them with what was heard.
struct TakeRenderer: Sendable {
    let client: PixelBoopClient
    /// Where the daemon may write.
    let folder: String

    /// Compares windows with their takes.
    func findings(of windows: [TakeWindow]) async -> TakeFindings {
        var sum = TakeFindings()
        for (take, windows) in Dictionary(grouping: windows, by: \.take).sorted(by: { $0.key < $1.key }) {
            do {
                let more = try await compare(take, windows)
                say("           take \(take): \(more.frames) of its frames were heard, \(more.faults.count) faults")
                sum += more
            } catch {
                sum.addFault("take \(take) cannot be rendered: \(error)")
            }
        }
        return sum
    }

    private func compare(_ take: Int, _ windows: [TakeWindow]) async throws -> TakeFindings {
        let path = "\(folder)/take-\(take).wav"
        _ = try await client.renderTake(take, to: path)
        // A long search must not keep others from the tasks' threads.
        let result = await onThread { () -> Result<TakeFindings, any Error> in
            Result {
                defer { try? FileManager.default.removeItem(atPath: path) }
                let rendered = try WaveFile(reading: [UInt8](Data(contentsOf: URL(filePath: path)))).floats
                return windows.reduce(into: TakeFindings()) { $0.add($1, rendered: rendered) }
            }
        }
        return try result.get()
    }
}
