/// What an error of the control socket is about: the codes of JSON-RPC 2.0 (section 5.1) and the daemon's own.
public enum ErrorCode: Hashable, Sendable {
    /// -32700: the line is not JSON.
    case parseError
    /// -32600: the JSON is not a request.
    case invalidRequest
    /// -32601: there is no such method.
    case methodNotFound
    /// -32602: a parameter is missing, of the wrong type or outside its range.
    case invalidParams
    /// -32603: the daemon failed where it should not.
    case internalError
    /// -32001: nothing of that name.
    case notFound
    /// -32002: this needs a JACK server, and none runs.
    case noAudio
    /// -32003: a file or the disk: full, read-only, or not to be replaced.
    case storage
    /// -32004: too many clients are connected.
    case tooManyClients
    /// -32005: something outside decides this while it is followed.
    case followsOutside
    /// -32006: another client holds the timeline.
    case heldByAnother
    /// -32007: a client of another machine named a file of the daemon's.
    case notForRemoteClients
    /// A code that this version does not know.
    case other(Int)

    private static let known: [ErrorCode] = [
        .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError, .notFound, .noAudio, .storage,
        .tooManyClients, .followsOutside, .heldByAnother, .notForRemoteClients,
    ]

    /// The code of a number on the wire.
    public init(number: Int) {
        self = ErrorCode.known.first { $0.number == number } ?? .other(number)
    }

    /// The number on the wire.
    public var number: Int {
        switch self {
        case .parseError: -32700
        case .invalidRequest: -32600
        case .methodNotFound: -32601
        case .invalidParams: -32602
        case .internalError: -32603
        case .notFound: -32001
        case .noAudio: -32002
        case .storage: -32003
        case .tooManyClients: -32004
        case .followsOutside: -32005
        case .heldByAnother: -32006
        case .notForRemoteClients: -32007
        case .other(let number): number
        }
    }
}

extension ErrorCode {
    /// The daemon's own codes, in the order of their numbers.
    public static let ofDaemon: [ErrorCode] = [
        .notFound, .noAudio, .storage, .tooManyClients, .followsOutside, .heldByAnother, .notForRemoteClients,
    ]

    /// A name for programs: `NotFound`.
    public var name: String {
        switch self {
        case .parseError: "ParseError"
        case .invalidRequest: "InvalidRequest"
        case .methodNotFound: "MethodNotFound"
        case .invalidParams: "InvalidParams"
        case .internalError: "InternalError"
        case .notFound: "NotFound"
        case .noAudio: "NoAudio"
        case .storage: "Storage"
        case .tooManyClients: "TooManyClients"
        case .followsOutside: "FollowsOutside"
        case .heldByAnother: "HeldByAnother"
        case .notForRemoteClients: "NotForRemoteClients"
        case .other(let number): "\(number)"
        }
    }

    /// What it means, in a sentence.
    public var summary: String {
        switch self {
        case .parseError: "The line is not JSON."
        case .invalidRequest: "The JSON is not a request."
        case .methodNotFound: "There is no such method."
        case .invalidParams: "A parameter is missing, of the wrong type or outside its range."
        case .internalError: "The daemon failed where it should not."
        case .notFound: "There is nothing of that name."
        case .noAudio: "There is no JACK server."
        case .storage: "A file could not be read or written."
        case .tooManyClients: "Too many clients are connected."
        case .followsOutside: "Something outside decides this while it is followed."
        case .heldByAnother: "Another client holds the timeline."
        case .notForRemoteClients: "A client of another machine named a file of the daemon's."
        case .other: "A code that this version does not know."
        }
    }
}
