import ArgumentParser

@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmarks", abstract: "Benchmarks of PixelBoop. Build with -c release.",
        subcommands: [
            ControlBenchmark.self,
            ControlFloors.self,
            EngineBenchmark.self,
            IdleBenchmark.self,
            InstructionsBenchmark.self,
            ListeningBenchmark.self,
            SoundsBenchmark.self,
            StartupBenchmark.self,
            TakeBenchmark.self,
            WebBenchmark.self,
        ])
}
