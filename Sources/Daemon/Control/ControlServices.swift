import Instrument
import JSON
import Music
import Wire

/// Services that the control socket offers but others provide: files, and figures about the process. Unless noted,
/// calls run off the control thread and may block; their tasks are cancelled when the client's connection ends.
public protocol ControlServices: RenderServices {
    /// The patterns in the library.
    func libraryEntries() async throws(ServiceError) -> [LibraryEntry]
    /// Saves a pattern under a name, replacing any that has it.
    func save(_ pattern: Pattern, as name: String) async throws(ServiceError)
    /// Loads the pattern saved under a name.
    func load(_ name: String) async throws(ServiceError) -> Pattern
    /// Deletes a pattern.
    func delete(_ name: String) async throws(ServiceError)
    /// Renames a pattern; the new name must be free.
    func rename(_ name: String, to newName: String) async throws(ServiceError)
    /// Waits until every change passed to the storage is on disk.
    func flush() async throws(ServiceError)
    /// The kits, built-in ones first, each with the files that cannot be used at a sample rate in Hz.
    func kits(sampleRate: Int) async throws(ServiceError) -> [KitEntry]
    /// Exports a MIDI file; without a path the reply holds its content.
    func exportMIDI(_ document: Document, to path: String?, options: ExportOptions) async throws(ServiceError)
        -> ExportReply
    /// Renders to a sound file, and stems to several; if cancelled, leaves none.
    func exportWAV(_ document: Document, to path: String, options: ExportOptions) async throws(ServiceError)
        -> ExportReply
    /// The takes, the newest first, and whether more are kept.
    func takes() async throws(ServiceError) -> TakeList
    /// Stars a take, or takes its star away.
    func starTake(_ number: Int, _ isStarred: Bool) async throws(ServiceError)
    /// Deletes a take that has ended.
    func deleteTake(_ number: Int) async throws(ServiceError)
    /// JACK's clock and the system's, read together; called on the control thread, so it must not wait.
    func clockTimes() -> ClockTimes
    /// Figures about the process and its audio driver, which is in the given state; called on the control thread, so it
    /// must not wait.
    func figures(_ state: AudioState) -> DaemonFigures
}

/// Seconds since the daemon started, figures about its audio driver, and its resident memory in bytes.
public typealias DaemonFigures = (uptime: Double, audio: AudioStatistics, memory: Int)

public struct ExportOptions: Equatable, Sendable {
    /// How many times the pattern is played, 1 to 1000.
    public var loops: Int
    /// Frames per second, 8000 to 192000.
    public var rate: Int
    /// What plays in each loop; empty for the slots that play now.
    public var turns: [PlayingSlots]
    /// Whether the parts of the mix are written, too.
    public var hasStems: Bool

    public init(loops: Int, rate: Int, turns: [PlayingSlots] = [], hasStems: Bool = false) {
        self.loops = loops
        self.rate = rate
        self.turns = turns
        self.hasStems = hasStems
    }
}

/// Why a service failed.
public enum ServiceError: Error, Equatable, Sendable {
    /// There is nothing with that name.
    case notFound(String)
    /// There is no take with that number.
    case noTake(Int)
    /// A file operation failed; the reason in words.
    case storage(String)
    /// A parameter is invalid.
    case invalid(FieldError)
    /// The client has cancelled it, or is gone.
    case cancelled
}
