import Logging

/// A log handler for daemons: messages, followed by their metadata, go to a ``LogWriter``, which has the level.
public struct ServiceLogHandler: LogHandler {
    private let writer: LogWriter

    /// Metadata for every message.
    public var metadata: Logger.Metadata = [:]
    /// The source of further metadata.
    public var metadataProvider: Logger.MetadataProvider?

    public init(_ writer: LogWriter) { self.writer = writer }

    /// The writer's level: setting it applies to all of its loggers.
    public var logLevel: Logger.Level {
        get { writer.level }
        set { writer.level = newValue }
    }

    /// One value of the metadata of every message.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        let details = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let error = event.error.map { ": \($0)" } ?? ""
        writer.write("\(event.message)\(error)\(details)", level: event.level)
    }
}
