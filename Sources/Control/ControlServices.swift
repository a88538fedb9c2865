import JSON
import Music
import Wire

/// What the control socket offers and leaves to others: files, and figures about the process. Each call runs off the
/// control thread and may block; its task is cancelled when the client's connection ends.
public protocol ControlServices: Sendable {
    /// The patterns in the library.
    func libraryEntries() async throws(ServiceError) -> [LibraryEntry]
    /// Saves a pattern under a name, over what stood there.
    func save(_ pattern: Pattern, as name: String) async throws(ServiceError)
    /// The pattern that was saved under a name.
    func load(_ name: String) async throws(ServiceError) -> Pattern
    /// Deletes a pattern.
    func delete(_ name: String) async throws(ServiceError)
    /// Gives a pattern another name, which must be free.
    func rename(_ name: String, to newName: String) async throws(ServiceError)
    /// Waits until every change that the storage was handed is on disk.
    func flush() async throws(ServiceError)
    /// The kits, the built-in ones first, and what cannot be used of the others at a sample rate in Hz.
    func kits(sampleRate: Int) async throws(ServiceError) -> [KitEntry]
    /// Makes a MIDI file; without a path its content is in the reply.
    func exportMIDI(_ document: Document, to path: String?, options: ExportOptions) async throws(ServiceError)
        -> ExportReply
    /// Renders to a sound file; when cancelled, it leaves none.
    func exportWAV(_ document: Document, to path: String, options: ExportOptions) async throws(ServiceError)
        -> ExportReply
    /// JACK's clock and the system's at one moment; called on the control thread, so it must not wait.
    func clockTimes() -> ClockTimes
    /// Figures about the process and its audio driver; called on the control thread, so it must not wait.
    func figures() -> DaemonFigures
}

public struct ExportOptions: Equatable, Sendable {
    /// How often the pattern is played, 1 to 1000.
    public var loops: Int
    /// Frames per second, 8000 to 192000.
    public var rate: Int
    /// The scenes to play, from 0; empty for the slots that play now.
    public var scenes: [Int]

    /// How to export.
    public init(loops: Int, rate: Int, scenes: [Int] = []) {
        self.loops = loops
        self.rate = rate
        self.scenes = scenes
    }
}

/// Why a service was not rendered.
public enum ServiceError: Error, Equatable, Sendable {
    /// There is nothing of that name.
    case notFound(String)
    /// The file system refused; the reason in words.
    case storage(String)
    /// A parameter cannot be used.
    case invalid(FieldError)
    /// The client is gone.
    case cancelled
}

/// Figures about the process and its audio driver, for `stats.get`.
public struct DaemonFigures: Equatable, Sendable {
    /// Seconds since the daemon started.
    public var uptime: Double
    /// Late periods since the driver started.
    public var xruns: Int
    /// Those of the last hour.
    public var xrunsLastHour: Int
    /// Mean share of the period that the process callback needs, 0 to 1.
    public var load: Double
    /// The longest run of the process callback, in µs.
    public var worst: Double
    /// Resident memory in bytes.
    public var memory: Int

    /// Figures about the process and its audio driver.
    public init(
        uptime: Double, xruns: Int = 0, xrunsLastHour: Int = 0, load: Double = 0, worst: Double = 0, memory: Int = 0
    ) {
        self.xrunsLastHour = xrunsLastHour
        self.uptime = uptime
        self.xruns = xruns
        self.load = load
        self.worst = worst
        self.memory = memory
    }
}
