import Grid
import Wire

/// The pictures that one client saw last, all diffs applied, by number.
actor SeenPictures {
    private static let capacity = 128

    private var frames: [Int: Frame] = [:]
    private var numbers: [Int] = []
    private var waiters: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []
    private var isOver = false

    /// Notes a picture.
    func add(_ picture: KeyFrame) {
        frames[picture.sequence] = picture.frame
        numbers.append(picture.sequence)
        if numbers.count > Self.capacity { frames[numbers.removeFirst()] = nil }
        resume { $0 <= picture.sequence }
    }

    /// Records that no more will come.
    func end() {
        isOver = true
        resume { _ in true }
    }

    /// The client's picture with a number, nil if it never had it; waits until that picture or a later one has come.
    func frame(numbered number: Int) async -> Frame? {
        if (numbers.last ?? 0) < number, !isOver {
            await withCheckedContinuation { waiters.append((number, $0)) }
        }
        return frames[number]
    }

    private func resume(_ isDue: (Int) -> Bool) {
        for waiter in waiters where isDue(waiter.number) { waiter.continuation.resume() }
        waiters.removeAll { isDue($0.number) }
    }
}
