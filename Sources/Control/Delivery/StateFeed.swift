import JSON
import NIOCore
import Wire

/// The newest state, and the patches that lead to it, each made at most once however many subscribers get it.
struct StateFeed {
    /// The state at one moment.
    struct Version {
        /// A higher number is a later state.
        var number: Int
        /// The whole state.
        var state: JSONValue
    }

    /// The newest state.
    private(set) var newest: Version
    /// The moment from which the newest state could be sent.
    private(set) var ready: Duration

    /// By the number of the base; nil where both states are equal.
    private var patches: [Int: ByteBuffer?] = [:]

    init(_ first: InstrumentState, ready: Duration) {
        newest = Version(number: 1, state: .object(first.json))
        self.ready = ready
    }

    /// Accepts a state as the newest, unless it is equal to the one it has.
    mutating func accept(_ state: InstrumentState, ready: Duration) {
        let json = JSONValue.object(state.json)
        guard json != newest.state else { return }
        newest = Version(number: newest.number + 1, state: json)
        self.ready = ready
        patches.removeAll(keepingCapacity: true)
    }

    /// The line that turns an earlier state into the newest, nil where both are equal.
    mutating func patch(from base: Version) -> ByteBuffer? {
        if let known = patches[base.number] { return known }
        let patch = JSONValue.mergePatch(from: base.state, to: newest.state)
        let line = patch == [:] ? nil : ByteBuffer(bytes: DaemonNotification.stateLine(patch: patch))
        patches[base.number] = .some(line)
        return line
    }
}
