import ArgumentParser
import Foundation
import TestSupport

/// The plain C synthesizer of scripts/lib/bare-client.c, which scripts/bench builds.
enum BareClient {
    /// Where it is.
    static func program() throws -> URL {
        guard let path = ProcessInfo.processInfo.environment["PIXELBOOP_BARE_CLIENT"] else {
            throw ValidationError(
                "PIXELBOOP_BARE_CLIENT: expected the built Tests/Benchmarks/bare-client.c; scripts/bench sets it")
        }
        return URL(filePath: path)
    }

    /// A client with some voices on a JACK server; returns when it plays.
    static func play(on server: String, voices: Int) async throws -> ChildProgram {
        let process = try ChildProgram(program(), ["jack", server, "\(voices)"], output: .logged).start()
        try await process.wait(for: "ready")
        return process
    }

    /// How fast it renders offline, in multiples of real time: the median of eleven renderings.
    static func offlineSpeed(voices: Int) async throws -> Double {
        let (_, output, log) = try await ChildProgram(program(), ["offline", "\(voices)"]).run()
        let speeds = output.split(separator: "\n").compactMap { Double($0) }.map { 4 / $0 }
        guard !speeds.isEmpty else { throw Rig.Failure(description: "bare-client: \(output)\n\(log)") }
        return Distribution(speeds).quantile(0.5)
    }
}
