import ArgumentParser
import Foundation
import TestSupport

/// The plain C synthesizer of Tests/Programs/Benchmarks/bare-client.c, which scripts/bench builds.
enum BareClient {
    static func program() throws -> URL {
        guard let path = ProcessInfo.processInfo.environment["PIXELBOOP_BARE_CLIENT"] else {
            throw ValidationError(
                "PIXELBOOP_BARE_CLIENT: expected the built Tests/Programs/Benchmarks/bare-client.c; scripts/bench sets it"
            )
        }
        return URL(filePath: path)
    }

    /// How fast it renders offline, in multiples of real time: the median of eleven renderings.
    static func offlineSpeed(voices: Int) async throws -> Double {
        let (_, output, log) = try await ChildProgram(program(), ["\(voices)"]).run()
        let speeds = output.split(separator: "\n").compactMap { Double($0) }.map { 4 / $0 }
        guard !speeds.isEmpty else { throw BenchmarkRig.Failure(description: "bare-client: \(output)\n\(log)") }
        return Distribution(speeds).quantile(0.5)
    }
}
