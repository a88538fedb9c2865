/// An error code of the control socket: those of JSON-RPC 2.0 (section 5.1) and the daemon's own.
public enum ErrorCode: Hashable, Sendable {
    /// -32700: the line is not JSON.
    case parseError
    /// -32600: the JSON is not a request.
    case invalidRequest
    /// -32601: there is no such method.
    case methodNotFound
    /// -32602: a parameter is missing, of the wrong type or outside its range.
    case invalidParams
    /// -32603: the daemon failed unexpectedly.
    case internalError
    /// -32001: there is nothing with that name.
    case notFound
    /// -32002: this needs a JACK server, and none is running.
    case noAudio
    /// -32003: a file or disk error: full, read-only, or a file that must not be replaced.
    case storage
    /// -32004: too many clients are connected.
    case tooManyClients
    /// -32005: an outside source sets this while it is followed.
    case followsOutside
    /// -32006: another client holds the timeline, or renders in the background.
    case heldByAnother
    /// -32007: a client on another machine named a file on the daemon's.
    case notForRemoteClients
    /// A code unknown to this version.
    case other(Int)

    private static let known: [ErrorCode] = [
        .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError, .notFound, .noAudio, .storage,
        .tooManyClients, .followsOutside, .heldByAnother, .notForRemoteClients,
    ]

    /// The daemon's own codes, in the order of their numbers.
    public static let ofDaemon = known.filter { $0.number > -32100 }

    private var row: (number: Int, name: String, summary: String) {
        switch self {
        case .parseError: (-32_700, "ParseError", "The line is not JSON.")
        case .invalidRequest: (-32_600, "InvalidRequest", "The JSON is not a request.")
        case .methodNotFound: (-32_601, "MethodNotFound", "There is no such method.")
        case .invalidParams:
            (-32_602, "InvalidParams", "A parameter is missing, of the wrong type or outside its range.")
        case .internalError: (-32_603, "InternalError", "The daemon failed unexpectedly.")
        case .notFound: (-32_001, "NotFound", "There is nothing with that name.")
        case .noAudio: (-32_002, "NoAudio", "There is no JACK server.")
        case .storage: (-32_003, "Storage", "A file could not be read or written.")
        case .tooManyClients: (-32_004, "TooManyClients", "Too many clients are connected.")
        case .followsOutside: (-32_005, "FollowsOutside", "An outside source sets this while it is followed.")
        case .heldByAnother:
            (-32_006, "HeldByAnother", "Another client has it: the timeline, or the one render in the background.")
        case .notForRemoteClients:
            (-32_007, "NotForRemoteClients", "A client on another machine named a file on the daemon's.")
        case .other(let number): (number, "\(number)", "A code that this version does not know.")
        }
    }

    /// The code with a number on the wire.
    public init(number: Int) { self = ErrorCode.known.first { $0.number == number } ?? .other(number) }

    /// The number on the wire.
    public var number: Int { row.number }
    /// A name for programs: `NotFound`.
    public var name: String { row.name }
    /// What it means, in a sentence.
    public var summary: String { row.summary }
}
