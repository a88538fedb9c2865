import ArgumentParser
import Foundation
import JackTestSupport
import TestSupport

/// What the daemon costs while JACK calls it, beside a bare C client on the same server.
struct JackBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jack",
        abstract: "Processor time of the daemon under jackd in ms per second of audio, beside a bare C client.")

    @Option(help: "Measurements of each; the median counts.")
    var runs = 5

    @Option(help: "Seconds of audio per measurement.")
    var seconds = 10.0

    @Option(help: "Frames per period.")
    var period = 64

    @Option(help: "Frames per second.")
    var rate = 48_000

    func run() async throws {
        let limit = Duration.seconds(60 + Double(runs * JackLoad.allCases.count) * 2 * (seconds + 10))
        try await JackServer.with(sampleRate: rate, period: period, limit: limit) { server in
            try await measure(on: server.name)
        }
    }

    private func measure(on server: String) async throws {
        print(
            "ms of processor time per second of audio, \(period) frames at \(rate) Hz, "
                + "median (lowest to highest) of \(runs)\(JackServer.isRealtime ? "" : ", without real-time scheduling")"
        )
        // In turn, so that what else the machine does meets them all.
        var daemon: [JackLoad: [Measurement]] = [:]
        var bare: [JackLoad: [Measurement]] = [:]
        for _ in 0..<runs {
            for load in JackLoad.allCases {
                try await daemon[load, default: []].append(measureDaemon(playing: load, on: server))
                try await bare[load, default: []].append(measureBareClient(playing: load, on: server))
            }
        }
        for load in JackLoad.allCases {
            report("pixelboopd", load, daemon[load]!)
            report("bare C", load, bare[load]!)
        }
    }

    private func measureDaemon(playing load: JackLoad, on server: String) async throws -> Measurement {
        let daemon = try await MeasuredDaemon(on: server, playing: load)
        let measurement = try await measure(daemon.process)
        await daemon.process.end()
        return measurement
    }

    private func measureBareClient(playing load: JackLoad, on server: String) async throws -> Measurement {
        let process = try await BareClient.play(on: server, voices: load.oscillators)
        let measurement = try await measure(process)
        await process.end()
        return measurement
    }

    /// The audio of the dummy driver lasts as long as the clock says.
    private func measure(_ process: ChildProgram) async throws -> Measurement {
        // Until all that comes with the start is over.
        try await Task.sleep(for: .seconds(1))
        let clock = ContinuousClock()
        let (start, before) = (clock.now, try ThreadTimes(of: process.identifier))
        try await Task.sleep(for: .seconds(seconds))
        let (end, after) = (clock.now, try ThreadTimes(of: process.identifier))
        return Measurement(threads: after.milliseconds(since: before), seconds: (end - start) / .seconds(1))
    }

    private func report(_ name: String, _ load: JackLoad, _ measurements: [Measurement]) {
        let distribution = Distribution(measurements.map(\.total))
        let (median, lowest) = (distribution.quantile(0.5), distribution.quantile(0))
        let middle = measurements.min { abs($0.total - median) < abs($1.total - median) }!
        let threads = middle.threads.filter { $0.milliseconds >= 0.05 }
            .map { "\($0.name) \(text($0.milliseconds))" }.joined(separator: ", ")
        print(
            "\(name), \(load.rawValue) (\(load.oscillators) oscillators): "
                + "\(text(median)) (\(text(lowest)) to \(text(distribution.maximum))); by thread: \(threads)")
        Results.record(
            benchmark: "jack",
            [
                "program": .text(name), "oscillators": .number(Double(load.oscillators)),
                "frames": .number(Double(period)), "rate": .number(Double(rate)),
                "millisecondsPerSecond": .number(median), "lowest": .number(lowest),
                "highest": .number(distribution.maximum),
            ])
    }

    private func text(_ number: Double) -> String { String(format: "%.1f", number) }
}

/// What one process used during one measurement, in ms per second.
private struct Measurement {
    var threads: [(name: String, milliseconds: Double)]
    var total: Double

    init(threads: [(name: String, milliseconds: Double)], seconds: Double) {
        self.threads = threads.map { ($0.name, $0.milliseconds / seconds) }
        total = self.threads.reduce(0) { $0 + $1.milliseconds }
    }
}
