import Synchronization

/// Hands the kit of samples from the control thread to the process callback, and keeps every kit that the callback may
/// still play.
///
/// Each published kit gets a number, its generation. The callback reports the oldest one that it plays, and older ones
/// are freed on the control thread.
struct SampleExchange: ~Copyable {
    private let references = TripleBuffer(SampleReference())
    /// The oldest generation that the callback plays from.
    private let oldest = Atomic<Int>(0)
    /// The kits that the callback may play from, by generation; used on the control thread only.
    private let held = Mutex<[(generation: Int, kit: SampleKit?)]>([(0, nil)])

    // MARK: On the control thread

    /// Publishes a kit, or nil for none, in place of one that the callback has not read yet.
    ///
    /// - Returns: Its generation.
    func publish(_ kit: SampleKit?) -> Int {
        let generation = held.withLock { held in
            let generation = held[held.count - 1].generation + 1
            let reference = kit?.reference(generation: generation) ?? SampleReference(generation: generation)
            // The callback never saw the one that it replaces.
            if references.publish(reference) { held.removeLast() }
            held.append((generation, kit))
            return generation
        }
        release()
        return generation
    }

    /// Frees the kits that the callback no longer plays.
    func release() {
        held.withLock { held in
            let oldest = oldest.load(ordering: .acquiring)
            held.removeAll { $0.generation < oldest }
        }
    }

    /// Whether a kit that was published before the last one is kept.
    var isHoldingOld: Bool { held.withLock { $0.count > 1 } }

    // MARK: On the audio thread

    /// Whether the newest kit is unread.
    var hasNews: Bool { references.hasNews }

    /// The newest kit.
    var newest: SampleReference {
        _ = unsafe references.fetchNewest()
        return unsafe references.current.pointee
    }

    /// Reports the oldest generation that is still played; older ones can be freed.
    func letGo(before generation: Int) { oldest.store(generation, ordering: .releasing) }
}
