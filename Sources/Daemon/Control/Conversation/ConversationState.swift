/// What a conversation waits for, and how far it has come to its end: decisions only, ``Conversation`` carries them out.
struct ConversationState {
    /// How a conversation ends.
    enum End {
        /// It has not ended: calls are made, and answered.
        case none
        /// The connection closed before the client's last calls were made: they are made, but not answered.
        case gone
        /// Nothing more happens.
        case finished
    }

    /// What arrives from the client.
    private enum Input {
        case open
        /// The client sends nothing more.
        case ended
        /// The rest is not read, because a line was too long.
        case cutOff
    }

    /// How many of a client's calls services may work on at once.
    static let maximumDeferred = 16

    private(set) var end = End.none
    private var input = Input.open
    /// Calls that services are working on.
    private var deferredCount = 0
    /// How many of them hold back later calls.
    private var holdCount = 0
    /// Whether a line is being read on another thread.
    private var isReading = false
    /// Whether others' turns come first.
    private(set) var isTurnOver = false

    /// Whether to read and make more calls now.
    var isWorking: Bool {
        end != .finished && holdCount == 0 && deferredCount < Self.maximumDeferred && !isTurnOver && !isReading
    }

    /// Whether the socket shall be read; what arrives after the end is discarded.
    var wantsInput: Bool { end == .finished || isWorking }

    var hasInputEnded: Bool { input != .open }
    var isCutOff: Bool { input == .cutOff }

    /// Whether everything is done, if no calls are left.
    var isDone: Bool { hasInputEnded && isWorking && (end == .gone || deferredCount == 0) }

    // MARK: Events

    mutating func inputEnded() {
        if input == .open { input = .ended }
    }

    mutating func lineWasTooLong() { input = .cutOff }

    mutating func readingBegan() { isReading = true }
    mutating func readingEnded() { isReading = false }

    mutating func turnEnded() { isTurnOver = true }
    mutating func turnBegan() { isTurnOver = false }

    /// A service began to work on a call.
    mutating func deferredBegan(holdsInput: Bool) {
        deferredCount += 1
        if holdsInput { holdCount += 1 }
    }

    /// A service is done with a call.
    mutating func deferredEnded(holdsInput: Bool) {
        deferredCount -= 1
        if holdsInput { holdCount -= 1 }
    }

    /// The connection has closed.
    mutating func connectionClosed() {
        guard end == .none else { return }
        end = .gone
        inputEnded()
    }

    mutating func finish() { end = .finished }
}
