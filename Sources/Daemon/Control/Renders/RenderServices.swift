import Music
import Wire

/// What renders for clients: takes, and the pattern for clients that cannot name files. As with other services, calls run off the
/// control thread.
public protocol RenderServices: Sendable {
    /// Prepares the render of a take: looks it up, and checks what is asked for.
    func takeRender(_ call: RenderCall) async throws(ServiceError) -> RenderJob
    /// Prepares the render of a document in the background.
    func exportRender(_ document: Document, options: ExportOptions) async throws(ServiceError) -> RenderJob
    /// Writes a take's notes to a MIDI file; without a path the reply holds its content.
    func takeMIDI(_ number: Int, to path: String?) async throws(ServiceError) -> ExportReply
}

/// A render that can begin.
public struct RenderJob: Sendable {
    /// What is told how far the render has come, 0 to 1, and often.
    public typealias Progress = @Sendable (Double) -> Void

    private let work: @Sendable (@escaping Progress) async throws(ServiceError) -> FinishedRender

    /// - Parameter work: Renders. If its task is cancelled, it ends soon, and leaves no file.
    public init(_ work: @escaping @Sendable (@escaping Progress) async throws(ServiceError) -> FinishedRender) {
        self.work = work
    }

    func run(_ progress: @escaping Progress) async throws(ServiceError) -> FinishedRender { try await work(progress) }
}

/// What a render has made.
public struct FinishedRender: Sendable {
    public var sound: RenderedSound
    /// What clients can fetch, the mix first; empty for files that have a path.
    public var files: [any FetchedFile]

    public init(_ sound: RenderedSound, files: [any FetchedFile] = []) { (self.sound, self.files) = (sound, files) }
}

/// A file of a render in the background. It is gone when it is released.
public protocol FetchedFile: Sendable {
    /// `mix`, or its stem's name.
    var name: String { get }
    /// In bytes.
    var size: Int { get }
    /// A part of the file, up to its end.
    func bytes(from offset: Int, count: Int) async throws(ServiceError) -> [UInt8]
}
