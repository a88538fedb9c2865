import ArgumentParser
import Foundation

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
    static func play(on server: String, voices: Int) async throws -> MeasuredProcess {
        let process = try await MeasuredProcess(program(), ["jack", server, "\(voices)"])
        try await process.wait(for: "ready")
        return process
    }

    /// How fast it renders offline, in multiples of real time: the median of eleven renderings.
    static func offlineSpeed(voices: Int) async throws -> Double {
        let process = try await MeasuredProcess(program(), ["offline", "\(voices)"])
        let lines = await process.rest()
        let speeds = lines.compactMap { Double($0) }.map { 4 / $0 }
        guard !speeds.isEmpty else {
            throw MeasuredProcess.Failure(program: "bare-client", log: lines.joined(separator: "\n"))
        }
        return Distribution(speeds).quantile(0.5)
    }
}
