import ArgumentParser
import Foundation
import OfflineAudio
import TestSupport

/// What a process callback costs at worst, as a number of instructions, which is the same on a busy machine and on a quiet
/// one. Times are not: another program may stop any cycle.
struct InstructionsBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "instructions",
        abstract: "Instructions in a process callback of 64 frames at 48 kHz.",
        discussion: """
            Valgrind runs two seconds of each load and counts what `Engine.render` executes. Instructions take different \
            times, so compare two versions of the program, and not two programs.
            """)

    @Option(help: "Periods to count for each load.")
    var periods = 1500

    @Option(help: .hidden)
    var render: EngineLoad?

    private static let frames = 64
    private static let rate = 48_000.0

    func run() async throws {
        if let render { return try play(render) }
        print("64 frames at 48 kHz, \(periods) periods; instructions in a period")
        print("load".padding(toLength: 12, withPad: " ", startingAt: 0) + "       p50       p99       max")
        for load in EngineLoad.allCases { report(Distribution(try await counts(of: load)), load.rawValue) }
    }

    /// Plays a load, for Valgrind to count.
    private func play(_ load: EngineLoad) throws {
        let driver = try load.driver(rate: Self.rate)
        driver.render(frames: periods * Self.frames, periods: [Self.frames]) { _ in }
    }

    /// The instructions of each period.
    private func counts(of load: EngineLoad) async throws -> [Double] {
        let folder = try TemporaryDirectory()
        let file = folder.file("callgrind")
        // `Engine.render(_:_:)`: the file gets a part for each call.
        let cycle = "$s6EngineAAC6renderyAA14OutsideRequestVAA7RtCycleV_AA0E5PortsVtF"
        let valgrind = try ChildProgram(
            URL(filePath: "/usr/bin/valgrind"),
            [
                "--tool=callgrind", "--callgrind-out-file=\(file)", "--combine-dumps=yes", "--toggle-collect=\(cycle)",
                "--dump-after=\(cycle)", CommandLine.arguments[0], "instructions", "--periods", "\(periods)",
                "--render", load.rawValue,
            ])
        let (_, _, log) = try await valgrind.run()
        let parts = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            .compactMap { $0.hasPrefix("totals: ") ? Double($0.dropFirst(8)) : nil }
        // The last part is what came after the last call.
        guard parts.count == periods + 1 else {
            throw BenchmarkRig.Failure(description: "\(parts.count) parts of \(periods + 1)\n\(log)")
        }
        return Array(parts.dropLast())
    }

    private func report(_ counts: Distribution, _ load: String) {
        let (median, p99) = (counts.quantile(0.5), counts.quantile(0.99))
        print(
            load.padding(toLength: 12, withPad: " ", startingAt: 0)
                + String(format: "%10.0f%10.0f%10.0f", median, p99, counts.maximum))
        Results.record(
            benchmark: "instructions",
            ["load": .text(load), "p50": .number(median), "p99": .number(p99), "maximum": .number(counts.maximum)])
    }
}

extension EngineLoad: ExpressibleByArgument {}
