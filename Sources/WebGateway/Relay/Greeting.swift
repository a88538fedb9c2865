import JSON
import NIOCore

/// The first words between gateway and daemon: the gateway says that its client is a remote one, and nothing goes on
/// before the daemon has repeated it.
struct Greeting {
    /// What the gateway says.
    static let hello =
        #"{"jsonrpc":"2.0","id":0,"method":"hello","params":{"client":"pixelboop-web","remote":true}}"#

    /// What the daemon said first, which is the page's.
    private(set) var forPage: [ByteBuffer] = []

    /// Reads a line of the daemon.
    ///
    /// - Returns: Whether the greeting is over.
    mutating func read(_ line: ByteBuffer) throws(PageClose) -> Bool {
        guard case .object(let message)? = try? JSONValue(parsing: line.readableBytesUInt8Span) else {
            throw .daemonSilent
        }
        if case .object(let error)? = message["error"], case .string(let reason)? = error["message"] {
            throw PageClose(code: 1013, reason: reason)
        }
        guard let result = message["result"] else {
            forPage.append(line)
            return false
        }
        guard case .object(let members) = result, members["remote"] == .bool(true) else { throw .daemonTooOld }
        return true
    }
}
