import ArgumentParser

@main
struct PixelBoopBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pixelboop-bench", abstract: "Benchmarks of PixelBoop. Build with -c release.",
        subcommands: [EngineBenchmark.self, RenderingBenchmark.self])
}
