import Synchronization

/// The newest trace on its way from the process callback to the control thread, and whether traces are wanted.
struct ScopeExchange: ~Copyable {
    private let traces = TripleBuffer(ScopeTrace())
    private let wanted = Atomic<Bool>(false)

    // MARK: On the control thread

    /// Says whether traces are wanted.
    func setWanted(_ isWanted: Bool) {
        wanted.store(isWanted, ordering: .relaxed)
    }

    /// The newest trace if it was not yet taken.
    func takeNewest() -> ScopeTrace? {
        unsafe traces.takeNewest()?.pointee
    }

    // MARK: On the audio thread

    /// Whether traces are wanted.
    var isWanted: Bool { wanted.load(ordering: .relaxed) }

    /// The trace to write; it is the audio thread's until ``publish()``.
    var draft: UnsafeMutablePointer<ScopeTrace> { unsafe traces.draft }

    /// Hands the trace that was written over, in place of one that was not yet taken.
    func publish() { traces.publish() }
}
