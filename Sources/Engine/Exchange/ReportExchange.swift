import Lockless

/// The newest report on its way from the process callback to the control thread.
@safe
struct ReportExchange: ~Copyable {
    private let indices = TripleBufferIndices()
    private let slots: UnsafeMutablePointer<TransportReport>

    init() {
        unsafe slots = .allocate(capacity: 3)
        unsafe slots.initialize(repeating: TransportReport(), count: 3)
    }

    deinit { unsafe slots.deallocate() }

    /// Publishes a report in place of any that was not yet taken.
    @_noLocks @_noAllocation
    func publish(_ report: TransportReport) {
        unsafe slots[indices.slotToWrite()] = report
        indices.didWrite()
    }

    /// The newest report, nil when it was taken already.
    func takeNewest() -> TransportReport? {
        guard let slot = indices.takeNewest() else { return nil }
        return unsafe slots[slot]
    }
}
