import ArgumentParser
import DaemonTestSupport
import Foundation
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport

/// How soon after its start the daemon answers and JACK calls it.
struct StartupBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "startup",
        abstract: "From the start of the daemon to its first words and to JACK's first call.",
        discussion: "On a jackd with the dummy driver, 64 frames at 48 kHz.")

    @Option(help: "Starts; the median counts.")
    var runs = 11

    /// The events that are waited for, one after the other.
    private enum Mark: String, CaseIterable {
        case answer = "first words on the socket"
        case audio = "JACK calls it"
    }

    func run() async throws {
        let runs = runs
        let times = try await JackServer.with(period: 64, limit: .seconds(60 + 30 * Double(runs))) { server in
            let folder = try DaemonFolder()
            var times: [Mark: [Double]] = [:]
            for _ in 0..<runs {
                for (mark, time) in try await Self.measure(folder, on: server.name) {
                    times[mark, default: []].append(time)
                }
            }
            return times
        }
        print("ms from the start of the program, median (lowest to highest) of \(runs)")
        for mark in Mark.allCases { Self.report(mark, Distribution(times[mark]!)) }
    }

    private static func measure(_ folder: DaemonFolder, on server: String) async throws -> [Mark: Double] {
        let process = try folder.start(on: server)
        let start = ContinuousClock.now
        var times: [Mark: Double] = [:]
        func reach(_ mark: Mark) { times[mark] = (ContinuousClock.now - start) / .milliseconds(1) }
        let client = try await connect(to: folder.socket)
        reach(.answer)
        try await client.waitForState { $0.audio.status == .running }
        reach(.audio)
        client.close()
        await process.end()
        return times
    }

    /// Connects as soon as the daemon listens.
    private static func connect(to path: String) async throws -> PixelBoopClient {
        while true {
            do {
                return try await PixelBoopClient.connect(to: path)
            } catch ClientError.noDaemon {
                try await Task.sleep(for: .microseconds(200))
            }
        }
    }

    private static func report(_ mark: Mark, _ times: Distribution) {
        let (median, lowest) = (times.quantile(0.5), times.quantile(0))
        print(
            mark.rawValue.padding(toLength: 28, withPad: " ", startingAt: 0)
                + String(format: "%8.1f (%.1f to %.1f)", median, lowest, times.maximum))
        Results.record(
            benchmark: "startup",
            [
                "until": .text(mark.rawValue), "milliseconds": .number(median), "lowest": .number(lowest),
                "highest": .number(times.maximum),
            ])
    }
}
