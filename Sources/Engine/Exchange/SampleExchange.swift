import Synchronization

/// The kit of samples that is to be played, on its way from the control thread to the process callback, and every kit that the
/// callback may still play from.
///
/// Each kit that is published gets a number, its generation. The callback reports the oldest that it plays from, and the older
/// ones are freed on the control thread.
struct SampleExchange: ~Copyable {
    private let references = TripleBuffer(SampleReference())
    /// The oldest generation that the callback plays from.
    private let oldest = Atomic<Int>(0)
    /// The kits that the callback may play from, by generation; used on the control thread only.
    private let held = Mutex<[(generation: Int, kit: SampleKit?)]>([(0, nil)])

    // MARK: On the control thread

    /// Publishes a kit in place of any that was not yet taken, or with nil none.
    func publish(_ kit: SampleKit?) {
        held.withLock { held in
            let generation = held[held.count - 1].generation + 1
            let reference = kit?.reference(generation: generation) ?? SampleReference(generation: generation)
            // What was never taken is played by nobody.
            if references.publish(reference) { held.removeLast() }
            held.append((generation, kit))
        }
        release()
    }

    /// Frees the kits that the callback has let go of.
    func release() {
        held.withLock { held in
            let oldest = oldest.load(ordering: .acquiring)
            held.removeAll { $0.generation < oldest }
        }
    }

    /// Whether a kit that was published before the last one is kept.
    var isHoldingOld: Bool { held.withLock { $0.count > 1 } }

    // MARK: On the audio thread

    /// The newest kit if it was not yet taken.
    func takeNewest() -> SampleReference? {
        guard let reference = unsafe references.takeNewest() else { return nil }
        return unsafe reference.pointee
    }

    /// Reports the oldest generation that is played from; no older one will be again.
    func letGo(before generation: Int) { oldest.store(generation, ordering: .releasing) }
}
