import Grid
import JSON

/// The daemon's first words, and its answer to `hello`.
public struct Welcome: NotificationMessage {
    /// `welcome`
    public static let method = "welcome"

    /// What a client must keep to.
    public struct Limits: WireMessage {
        /// Bytes that a line may have, its newline not counted.
        public var line: Int
        /// Bytes of replies that may pile up unread.
        public var unread: Int

        /// What a client must keep to.
        public init(line: Int = ControlProtocol.maximumLineLength, unread: Int = ControlProtocol.maximumUnread) {
            self.line = line
            self.unread = unread
        }

        /// Reads `{"line": 524288, "unread": 1048576}`.
        public init(_ fields: Fields) throws(FieldError) {
            self.init(line: try fields("line", .integer), unread: try fields("unread", .integer))
        }

        /// `{"line": 524288, "unread": 1048576}`
        public var json: JSONObject { ["line": .integer(line), "unread": .integer(unread)] }
    }

    /// `pixelboopd`
    public var server: String
    /// The program's version.
    public var version: String
    /// The protocol's version.
    public var protocolVersion: Int
    /// Cells in a row.
    public var columns: Int
    /// Rows of cells.
    public var rows: Int
    /// What the client must keep to.
    public var limits: Limits

    /// The words of a daemon of this protocol.
    public init(version: String, server: String = "pixelboopd", limits: Limits = Limits()) {
        self.server = server
        self.version = version
        self.protocolVersion = ControlProtocol.version
        self.columns = Frame.columns
        self.rows = Frame.rows
        self.limits = limits
    }

    /// Reads the welcome.
    public init(_ fields: Fields) throws(FieldError) {
        server = try fields("server", .string)
        version = try fields("version", .string)
        protocolVersion = try fields("protocol", .integer)
        columns = try fields("cols", .integer)
        rows = try fields("rows", .integer)
        limits = try fields("limits", .message(Limits.self))
    }

    /// The welcome as an object.
    public var json: JSONObject {
        [
            "server": .string(server), "version": .string(version), "protocol": .integer(protocolVersion),
            "cols": .integer(columns), "rows": .integer(rows), "limits": .object(limits.json),
        ]
    }
}
