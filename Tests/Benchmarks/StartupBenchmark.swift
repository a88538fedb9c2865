import ArgumentParser
import DaemonTestSupport
import Foundation
import JackTestSupport
import Music
import PixelBoopClient
import TestSupport

/// How soon after its start the daemon answers and can be heard.
struct StartupBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "startup",
        abstract: "From the start of the daemon to its first words, to JACK's first call and to the first sound.",
        discussion: """
            On a jackd with the dummy driver, 64 frames at 48 kHz. The sound is that of a touch which is sent as soon as \
            JACK calls the daemon; another client hears it over a connection that the daemon remembers and makes itself.
            """)

    @Option(help: "Starts; the median counts.")
    var runs = 11

    /// What is waited for, one after the other.
    private enum Mark: String, CaseIterable {
        case answer = "first words on the socket"
        case audio = "JACK calls it"
        case sound = "first sound"
    }

    private struct Silence: Error {}

    func run() async throws {
        let runs = runs
        let times = try await JackServer.with(period: 64, limit: .seconds(60 + 30 * Double(runs))) { server in
            let folder = try DaemonFolder()
            let recorder = try JackRecorder(inputs: 1, of: server, seconds: 0.1)
            defer { recorder.close() }
            try await Self.connect(recorder, folder, on: server)
            var times: [Mark: [Double]] = [:]
            for _ in 0..<runs {
                for (mark, time) in try await Self.measure(folder, recorder, on: server.name) {
                    times[mark, default: []].append(time)
                }
            }
            return times
        }
        print("ms from the start of the program, median (lowest to highest) of \(runs)")
        for mark in Mark.allCases { Self.report(mark, Distribution(times[mark]!)) }
    }

    /// Makes a connection that the daemon remembers.
    private static func connect(_ recorder: JackRecorder, _ folder: DaemonFolder, on server: JackServer) async throws {
        let process = try folder.start(on: server.name)
        try await process.wait(for: "listening on")
        let client = try await PixelBoopClient.connect(to: folder.socket)
        try await client.waitForState { $0.audio.status == .running }
        try await JackTool.run("jack_connect", "pixelboop:main_L", recorder.inputName(0), on: server)
        client.close()
        await process.end()
    }

    private static func measure(
        _ folder: DaemonFolder, _ recorder: JackRecorder, on server: String
    ) async throws -> [Mark: Double] {
        let process = try folder.start(on: server)
        let start = ContinuousClock.now
        var times: [Mark: Double] = [:]
        func reach(_ mark: Mark) { times[mark] = (ContinuousClock.now - start) / .milliseconds(1) }
        let client = try await connect(to: folder.socket)
        reach(.answer)
        try await client.waitForState { $0.audio.status == .running }
        reach(.audio)
        // The lowest row of the rhythm.
        try await client.send(Touch(id: 1, .down, column: 4, row: 21))
        guard await recorder.hear(channel: 0) else { throw Silence() }
        reach(.sound)
        client.close()
        await process.end()
        return times
    }

    /// Connects as soon as somebody listens.
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
