import ArgumentParser
import DaemonTestSupport
import Foundation
import TestSupport

/// How fast `pixelboop render` makes a file, its start and the writing included.
struct RenderBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "`pixelboop render` from start to end, in multiples of real time.")

    @Option(help: "Renderings; the median counts.")
    var runs = 5

    @Option(help: "How often the pattern is played.")
    var loops = [1, 32]

    @Argument(help: "A pattern as JSON.")
    var pattern = "config/demo.json"

    func validate() throws {
        guard FileManager.default.isReadableFile(atPath: pattern) else {
            throw ValidationError("cannot read the pattern \(pattern)")
        }
    }

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pixelboop-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for count in loops {
            try measure(loops: count, into: folder.appending(path: "sound.wav").path)
        }
    }

    private func measure(loops: Int, into file: String) throws {
        var times: [Double] = []
        var processorTimes: [Double] = []
        for _ in 0..<runs {
            let clock = ContinuousClock()
            let (start, before) = (clock.now, childrenSeconds())
            try render(["render", pattern, file, "--loops", "\(loops)"])
            times.append((clock.now - start) / .seconds(1))
            processorTimes.append(childrenSeconds() - before)
        }
        let audio = try seconds(of: file)
        let (time, processorTime) = (Distribution(times).quantile(0.5), Distribution(processorTimes).quantile(0.5))
        print(
            String(
                format: "%d loops, %.1f s of sound: %.0f times real time (%.3f s), by processor time %.0f (%.3f s)",
                loops, audio, audio / time, time, audio / processorTime, processorTime))
        Results.record(
            benchmark: "render",
            [
                "loops": .number(Double(loops)), "seconds": .number(time), "timesRealTime": .number(audio / time),
                "processorSeconds": .number(processorTime),
            ])
    }

    private func render(_ arguments: [String]) throws {
        guard ChildProgram.succeeds([URL.product("pixelboop").path] + arguments) else {
            throw ValidationError("pixelboop \(arguments.joined(separator: " ")) failed")
        }
    }

    /// The processor time of all children that have ended.
    private func childrenSeconds() -> Double {
        var usage = rusage()
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    /// The length of a stereo file of 24 bits at 48 kHz; its header is less than a millisecond's worth.
    private func seconds(of file: String) throws -> Double {
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        return Double(size ?? 0) / (2 * 3 * 48_000)
    }
}
