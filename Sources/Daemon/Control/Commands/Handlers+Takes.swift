import Wire

// Performances that were kept.
extension Handlers {
    static let takes: [Handler] = []
}
