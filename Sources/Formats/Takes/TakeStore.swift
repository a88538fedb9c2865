import Glibc
import SQLite
import Synchronization
import SystemSupport

/// Whether takes are kept.
public enum TakeStatus: Equatable, Sendable {
    case keeping
    /// No take is recorded, for this reason; the next one is tried again.
    case stopped(String)
}

/// Keeps takes in a database, on a thread of its own: whoever records never waits for the disk.
///
/// What a take adds is on disk, apart from power cuts, after at most a second; after a power cut up to 10 s are missing. Whatever
/// fails, a take ends or is not recorded, and that is reported; nobody else notices.
public final class TakeStore: Sendable {
    /// How it is stored and when; tests set other values.
    public struct Options: Sendable {
        public var limits: TakeLimits
        /// The pause between two commits: kill -9 loses what came since the last, and what the callback, which writes at least
        /// each half second, has not written.
        public var commitInterval = Duration.milliseconds(450)
        /// The pause between two checkpoints.
        public var checkpointInterval = Duration.seconds(5)
        /// How long a request waits for what the callback has yet to write of the take under way.
        public var patience = Duration.milliseconds(100)
        /// Bytes that may wait for the thread; with more, the take ends.
        public var longestBacklog = 16 << 20
        /// Whether the database is made if there is none.
        public var makesDatabase = true
        /// SQLite's virtual file system; nil for the usual.
        public var fileSystem: String?
        /// Bytes that are free in a folder; nil if unknown.
        public var freeSpace: @Sendable (_ folder: String) -> UInt64? = { SystemSupport.freeSpace(in: $0) }

        public init(limits: TakeLimits = TakeLimits(), fileSystem: String? = nil) {
            self.limits = limits
            self.fileSystem = fileSystem
        }
    }

    /// What it tells its owner, on any thread.
    public struct Reports: Sendable {
        public var onStatus: @Sendable (TakeStatus) -> Void
        /// A damaged database was set aside under this name, for this reason.
        public var onSetAside: @Sendable (_ name: String, _ reason: String) -> Void
        /// A take has begun or ended.
        public var onChange: @Sendable () -> Void

        public init(
            onStatus: @escaping @Sendable (TakeStatus) -> Void = { _ in },
            onSetAside: @escaping @Sendable (_ name: String, _ reason: String) -> Void = { _, _ in },
            onChange: @escaping @Sendable () -> Void = {}
        ) {
            (self.onStatus, self.onSetAside, self.onChange) = (onStatus, onSetAside, onChange)
        }
    }

    /// What is recorded, in its order.
    enum Event: Sendable {
        case begin(TakeHead)
        case content([UInt8])
        case progress(TakeProgress)
        case end
        case missed

        var size: Int { if case .content(let bytes) = self { bytes.count } else { 64 } }
    }

    /// What the owner and the thread share; never locked during disk operations.
    struct Mailbox {
        var events: [Event] = []
        var bytes = 0
        var hasOverflowed = false
        var requests: [@Sendable (inout TakeThread) -> Void] = []
        var isClosing = false
        var hasEnded = false
    }

    /// The database in its folder.
    public static let fileName = "takes.db"

    let mailbox = Mutex(Mailbox())
    let wakeUp: WakeUp
    let folder: String
    public let options: Options
    let reports: Reports
    /// Where takes come from, which the thread asks from time to time.
    let keeper: TakeKeeper?
    private let ended: WakeUp

    /// Takes are in the database `takes.db` of a folder that exists; the file is made when it is first needed.
    ///
    /// - Throws: `OrdinaryThread.Failure` if there is no thread, or no wake-up for it.
    /// - Parameter keeper: Passes on what an engine records; nil if takes are added by the functions below.
    public init(
        in folder: String, _ options: Options = Options(), _ reports: Reports = Reports(), keeper: TakeKeeper? = nil
    ) throws(OrdinaryThread.Failure) {
        guard let wakeUp = WakeUp(), let ended = WakeUp() else { throw OrdinaryThread.Failure(code: errno) }
        self.wakeUp = wakeUp
        self.ended = ended
        self.folder = folder
        self.options = options
        self.reports = reports
        self.keeper = keeper
        keeper?.whenStalled { reports.onStatus(.stopped("the disk does not answer")) }
        try OrdinaryThread.start(name: "takes") { [self] in
            var thread = TakeThread(self)
            thread.run()
            mailbox.withLock { $0.hasEnded = true }
            ended.signal()
        }
    }

    // MARK: Recording

    /// Begins a take; one that is under way ends.
    public func begin(_ head: TakeHead) {
        add(.begin(head))
        wakeUp.signal()
    }

    /// Adds to the current take's content.
    public func add(_ bytes: [UInt8]) { add(.content(bytes)) }

    /// Notes how far the current take has come.
    public func note(_ progress: TakeProgress) { add(.progress(progress)) }

    /// Ends the current take.
    public func end() { add(.end) }

    /// A take could not begin, because what was played before it is not stored yet.
    func miss() { add(.missed) }

    private func add(_ event: Event) {
        mailbox.withLock { mailbox in
            // After what is missing nothing fits.
            guard !mailbox.hasOverflowed, mailbox.bytes + event.size <= options.longestBacklog else {
                mailbox.hasOverflowed = true
                return
            }
            mailbox.events.append(event)
            mailbox.bytes += event.size
        }
    }

    // MARK: Reading and changing

    /// All takes, the oldest first.
    public func entries() async throws -> [KeptTake] {
        try await perform { (database) throws(SQLiteError) in try database.entries() }
    }

    /// Sets or takes away a take's star.
    ///
    /// - Returns: Whether there is such a take.
    public func star(_ number: Int64, _ isOn: Bool) async throws -> Bool {
        try await perform { (database) throws(SQLiteError) in try database.star(number, isOn) }
    }

    /// Deletes a take that has ended.
    ///
    /// - Returns: Whether there was one.
    public func delete(_ number: Int64) async throws -> Bool {
        try await perform { (database) throws(SQLiteError) in try database.delete(number) }
    }

    /// Compressed pieces of a take's content, from one of them on, about a megabyte; none at its end. The current take has those
    /// up to now.
    public func pieces(of number: Int64, from first: Int) async throws -> [[UInt8]] {
        try await perform { (database) throws(SQLiteError) in
            try database.pieces(of: number, from: first, limit: 1 << 20)
        }
    }

    /// Does something with the database on the thread, after everything added so far is committed.
    private func perform<Result: Sendable>(
        _ body: @escaping @Sendable (TakeDatabase) throws(SQLiteError) -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let isOpen = mailbox.withLock { mailbox in
                guard !mailbox.isClosing else { return false }
                mailbox.requests.append { thread in continuation.resume(with: thread.result(body)) }
                return true
            }
            guard isOpen else { return continuation.resume(throwing: CancellationError()) }
            wakeUp.signal()
        }
    }

    /// Ends the current take, and stores everything, if the disk is done in time.
    ///
    /// - Returns: Whether it was.
    @discardableResult
    public func close(within limit: Duration) -> Bool {
        mailbox.withLock { $0.isClosing = true }
        wakeUp.signal()
        // The end is signalled once.
        if !mailbox.withLock({ $0.hasEnded }) { ended.wait(atMost: limit) }
        return mailbox.withLock { $0.hasEnded }
    }
}
