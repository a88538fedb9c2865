import Grid
import JSON

/// The daemon's first message, and its answer to `hello`.
public struct Welcome: NotificationMessage {
    public static let method = "welcome"

    /// Limits that a client must respect.
    public struct Limits: WireMessage {
        /// Maximum bytes of a line without its newline.
        public var line: Int
        /// Bytes of unread replies beyond which the client is disconnected.
        public var unread: Int

        public init(line: Int = ControlProtocol.maximumLineLength, unread: Int = ControlProtocol.maximumUnread) {
            self.line = line
            self.unread = unread
        }

        /// `{"line": 2097152, "unread": 4194304}`
        public static let kind = Kind<Limits>.record(
            Member("line", .integer.counted(in: "bytes"), \.line),
            Member("unread", .integer.counted(in: "bytes"), \.unread),
            make: { Limits(line: $0, unread: $1) })
    }

    public var server: String
    public var version: String
    public var protocolVersion = ControlProtocol.version
    /// Cells in a row.
    public var columns = Frame.columns
    public var rows = Frame.rows
    /// Limits that the client must respect.
    public var limits: Limits

    /// Whether the client is on another machine, as it reported, so that it may not name files on the daemon's.
    public var isRemote: Bool

    /// Whether the client's pictures include tooltips.
    public var showsTooltips: Bool
    /// The client's name as the daemon understood it; only in the answer to `hello`.
    public var client: String?
    /// The client's touch surface as the daemon understood it; only in the answer to `hello`.
    public var touch: TouchSurface?

    /// The welcome of a daemon of this protocol.
    public init(
        version: String, server: String = "pixelboopd", limits: Limits = Limits(), isRemote: Bool = false,
        showsTooltips: Bool = true, client: String? = nil, touch: TouchSurface? = nil
    ) {
        self.server = server
        self.version = version
        self.limits = limits
        self.isRemote = isRemote
        self.showsTooltips = showsTooltips
        self.client = client
        self.touch = touch
    }

    public static let kind = Kind<Welcome>.record(
        Member("server", .string, \.server), Member("version", .string, \.version),
        Member("protocol", .integer, \.protocolVersion), Member("cols", .integer, \.columns),
        Member("rows", .integer, \.rows), Member("limits", Limits.kind, \.limits),
        .optional("remote", .boolean, \.writtenRemote), .optional("tooltips", .boolean, \.writtenTooltips),
        .optional("client", .string, \.client),
        .optional("touch", .surface, \.touch),
        make: { server, version, protocolVersion, columns, rows, limits, isRemote, showsTooltips, client, touch in
            var welcome = Welcome(
                version: version, server: server, limits: limits, isRemote: isRemote ?? false,
                showsTooltips: showsTooltips ?? true, client: client, touch: touch)
            (welcome.protocolVersion, welcome.columns, welcome.rows) = (protocolVersion, columns, rows)
            return welcome
        })

    private var writtenRemote: Bool? { isRemote ? true : nil }
    private var writtenTooltips: Bool? { showsTooltips ? nil : false }
}
