import Lockless
import Synchronization

/// The newest trace on its way from the process callback to the control thread, and whether traces are wanted.
@safe
struct ScopeExchange: ~Copyable {
    private let indices = TripleBufferIndices()
    private let slots = FixedArray(count: 3) { _ in ScopeTrace() }
    private let wanted = Atomic<Bool>(false)

    // MARK: On the control thread

    /// Says whether traces are wanted.
    func setWanted(_ isWanted: Bool) {
        wanted.store(isWanted, ordering: .relaxed)
    }

    /// The newest trace if it was not yet taken.
    func takeNewest() -> ScopeTrace? {
        indices.takeNewest().map { unsafe slots.elements[$0] }
    }

    // MARK: On the audio thread

    /// Whether traces are wanted.
    var isWanted: Bool {
        @_noLocks @_noAllocation get { wanted.load(ordering: .relaxed) }
    }

    /// The trace to write to; it is the audio thread's until ``publish()``.
    @_noLocks @_noAllocation
    func traceToWrite() -> UnsafeMutablePointer<ScopeTrace> {
        unsafe slots.elements + indices.slotToWrite()
    }

    /// Hands the trace that was written over, in place of one that was not yet taken.
    @_noLocks @_noAllocation
    func publish() {
        indices.didWrite()
    }
}
