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

        /// `{"line": 2097152, "unread": 4194304}`
        public static let kind = Kind<Limits>.record(
            Member("line", .integer.counted(in: "bytes"), \.line),
            Member("unread", .integer.counted(in: "bytes"), \.unread),
            make: { Limits(line: $0, unread: $1) })
    }

    /// `pixelboopd`
    public var server: String
    /// The program's version.
    public var version: String
    /// The protocol's version.
    public var protocolVersion = ControlProtocol.version
    /// Cells in a row.
    public var columns = Frame.columns
    /// Rows of cells.
    public var rows = Frame.rows
    /// What the client must keep to.
    public var limits: Limits

    /// Whether the client said that it is on another machine, so that it may not name files of the daemon's.
    public var isRemote: Bool

    /// Whether the client's pictures have the texts that appear on the grid.
    public var showsTooltips: Bool
    /// The client's name as the daemon took it; only in the answer to `hello`.
    public var client: String?
    /// The client's touch surface as the daemon took it; only in the answer to `hello`.
    public var touch: TouchSurface?

    /// The words of a daemon of this protocol.
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

    /// The welcome as an object.
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
