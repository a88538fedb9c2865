import JSON
import NIOCore

/// The message with which a page authenticates; it is never forwarded to the daemon.
struct Authentication {
    /// The token as sent; empty if there is none.
    var token: String

    private static let method: StaticString = "authenticate"

    /// Reads a message; nil when it is something else.
    init?(_ message: ByteBuffer) {
        // Cheap checks first, so that touches and long messages are not parsed here.
        guard message.readableBytes <= GatewaySettings.maximumAuthentication, Self.isMentioned(in: message) else {
            return nil
        }
        guard case .object(let call) = try? JSONValue(parsing: Array(message.readableBytesView)),
            call["method"] == .string("\(Self.method)")
        else { return nil }
        guard case .object(let parameters) = call["params"], case .string(let token) = parameters["token"] else {
            token = ""
            return
        }
        self.token = token
    }

    private static func isMentioned(in message: ByteBuffer) -> Bool {
        method.withUTF8Buffer { method in
            message.withUnsafeReadableBytes { bytes in
                bytes.indices.contains { bytes[$0...].starts(with: method) }
            }
        }
    }
}
