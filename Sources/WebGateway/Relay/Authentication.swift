import JSON
import NIOCore

/// What a page says to be let in: never the daemon's business.
struct Authentication {
    /// The token as it was given, empty for none.
    var token: String

    private static let method = "authenticate"

    /// Reads a message; nil when it is something else.
    init?(_ message: ByteBuffer) {
        // Before a parser has a look at every touch.
        guard message.readableBytesView.contains(Self.method.utf8) else { return nil }
        guard case .object(let call) = try? JSONValue(parsing: Array(message.readableBytesView)),
            call["method"] == .string(Self.method)
        else { return nil }
        guard case .object(let parameters) = call["params"], case .string(let token) = parameters["token"] else {
            token = ""
            return
        }
        self.token = token
    }
}
