import Logging

/// A log handler for daemons: messages go to a ``LogWriter``, with their metadata behind them.
public struct ServiceLogHandler: LogHandler {
    private let writer: LogWriter

    /// Metadata of every message.
    public var metadata: Logger.Metadata = [:]
    /// Where further metadata comes from.
    public var metadataProvider: Logger.MetadataProvider?
    /// The least important messages that are written.
    public var logLevel: Logger.Level

    /// A handler that writes messages of a level and above.
    public init(_ writer: LogWriter, level: Logger.Level = .info) {
        self.writer = writer
        logLevel = level
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
