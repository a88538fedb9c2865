extension Engine {
    /// Makes the tables that all engines share at the usual sample rates: those that a new engine needs, then those that it
    /// needs when it is prepared. Who needs one meanwhile waits for it. They take about as long as everything else at a
    /// start, and may be made on a thread of their own.
    public static func makeTables() {
        _ = WavetableSet.at(sampleRate: 48_000)
        _ = MetalSet.at(sampleRate: 48_000)
    }
}
