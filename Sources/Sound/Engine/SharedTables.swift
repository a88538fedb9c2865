extension Engine {
    /// Makes the tables that all engines share at the usual sample rates; an engine that is made meanwhile waits for what
    /// it needs. They take about as long as everything else at a start, and may be made on a thread of their own.
    public static func makeTables() {
        _ = MetalSet.at(sampleRate: 48_000)
        _ = WavetableSet.at(sampleRate: 48_000)
    }
}
