import FoundationEssentials
import Glibc
import NIOCore
import Wire

/// What can go wrong between a client and the daemon.
public enum ClientError: Error, Equatable, Sendable {
    /// Nothing listens at the socket; the path and the system's reason.
    case noDaemon(path: String, reason: String)
    /// The daemon refused a call: the protocol's error code and a sentence.
    case refused(WireError)
    /// The connection is lost, and with it every unanswered call; the reason in words.
    case connectionLost(reason: String)
    /// The program at the socket does not speak this protocol; the problem in words.
    case protocolViolation(String)
    /// The call is longer than the daemon reads; nothing was sent.
    case callTooLong(bytes: Int, limit: Int)
}

extension ClientError: CustomStringConvertible {
    /// A description in words.
    public var description: String {
        switch self {
        case .noDaemon(let path, let reason): "no daemon at \(path) (\(reason))"
        case .refused(let error): error.description
        case .connectionLost(let reason): "connection lost: \(reason)"
        case .protocolViolation(let what): "the server is not a pixelboopd of this protocol: \(what)"
        case .callTooLong(let bytes, let limit): "a call of \(bytes) bytes: the daemon reads at most \(limit)"
        }
    }
}

extension IOError {
    /// The system's words for the error.
    var reasonInWords: String { String(cString: strerror(errnoCode)) }
}
