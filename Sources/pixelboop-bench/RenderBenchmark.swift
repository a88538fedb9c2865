import ArgumentParser
import Foundation

/// How fast `pixelboop render` makes a file, its start and the writing included.
struct RenderBenchmark: AsyncParsableCommand {
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

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pixelboop-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for count in loops {
            try await measure(loops: count, into: folder.appending(path: "sound.wav").path)
        }
    }

    private func measure(loops: Int, into file: String) async throws {
        var times: [Double] = []
        for _ in 0..<runs {
            let clock = ContinuousClock()
            let start = clock.now
            let process = try await MeasuredProcess(
                .product("pixelboop"), ["render", pattern, file, "--loops", "\(loops)"])
            let log = await process.rest()
            times.append((clock.now - start) / .seconds(1))
            guard log.isEmpty else {
                throw MeasuredProcess.Failure(program: "pixelboop", log: log.joined(separator: "\n"))
            }
        }
        let audio = try seconds(of: file)
        let time = Distribution(times).quantile(0.5)
        print(
            String(
                format: "%d loops, %.1f s of sound in %.3f s: %.0f times real time", loops, audio, time, audio / time))
        Results.record(
            benchmark: "render",
            ["loops": .number(Double(loops)), "seconds": .number(time), "timesRealTime": .number(audio / time)])
    }

    /// The length of a stereo file of 24 bits at 48 kHz; its header is less than a millisecond's worth.
    private func seconds(of file: String) throws -> Double {
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        return Double(size ?? 0) / (2 * 3 * 48_000)
    }
}
