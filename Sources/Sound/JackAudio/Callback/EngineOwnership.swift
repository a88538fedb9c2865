import Synchronization

/// Whether one client's callbacks may use the engine.
///
/// An engine belongs to one client at a time. A client whose closing hangs may wake up long after another has replaced
/// it, and must not render then.
struct EngineOwnership: ~Copyable {
    private let isInUse = Atomic<Bool>(false)
    private let hasEnded = Atomic<Bool>(false)

    /// Begins to use the engine, until ``leave()``; neither call blocks. Of concurrent calls of this and ``end()`` at
    /// most one succeeds, because each first publishes its intent and then checks the other's.
    ///
    /// - Returns: Whether it may be used.
    @_noLocks @_noAllocation
    func enter() -> Bool {
        isInUse.store(true, ordering: .sequentiallyConsistent)
        if !hasEnded.load(ordering: .sequentiallyConsistent) { return true }
        isInUse.store(false, ordering: .releasing)
        return false
    }

    /// Ends the use that ``enter()`` began.
    @_noLocks @_noAllocation
    func leave() {
        isInUse.store(false, ordering: .releasing)
    }

    /// Uses the engine if that is allowed.
    ///
    /// - Returns: Whether it was.
    func withEngine<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) -> Bool {
        guard enter() else { return false }
        defer { leave() }
        try body()
        return true
    }

    /// Forbids all use from now on, unless the engine is in use.
    ///
    /// - Returns: Whether it is forbidden.
    func end() -> Bool {
        hasEnded.store(true, ordering: .sequentiallyConsistent)
        if !isInUse.load(ordering: .sequentiallyConsistent) { return true }
        hasEnded.store(false, ordering: .releasing)
        return false
    }
}
