import ArgumentParser

@main
struct PixelBoopBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pixelboop-bench", abstract: "Benchmarks of PixelBoop. Build with -c release.",
        subcommands: [
            ControlBenchmark.self,
            ControlFloors.self,
            EngineBenchmark.self,
            IdleBenchmark.self,
            JackBenchmark.self,
            LaunchBenchmark.self,
            MidiBenchmark.self,
            MixBenchmark.self,
            RenderBenchmark.self,
            RenderingBenchmark.self,
            SoundsBenchmark.self,
            StartupBenchmark.self,
            WebBenchmark.self,
        ])
}
