import Music

/// What waits to be written, bounded: when the disk takes nothing for long, the newest document stands for all changes.
struct UnsavedChanges {
    /// A document that replaces what was written so far, when there were too many changes to keep.
    private(set) var replacement: Document?
    /// Changes to be made after that, in batches that belong together.
    private(set) var batches: [[DocumentChange]] = []
    private var changeCount = 0

    /// Changes that are kept one by one.
    static let capacity = 1024

    var isEmpty: Bool { replacement == nil && batches.isEmpty }

    /// Adds changes and, if there are too many, forgets them all for the document that they led to.
    mutating func add(_ changes: [DocumentChange], document: () -> Document) {
        guard !changes.isEmpty else { return }
        if changeCount + changes.count <= Self.capacity {
            batches.append(changes)
            changeCount += changes.count
        } else {
            self = UnsavedChanges(replacement: document())
        }
    }

    init(replacement: Document? = nil) {
        self.replacement = replacement
    }
}
