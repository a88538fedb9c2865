import OSC

/// The messages of a client to its session manager.
enum ClientMessage {
    /// The name that JACK would know us by without a session manager, as the API requires.
    private static let applicationName = "pixelboop"
    /// It switches projects in place, and sends messages. Nothing is ever unsaved.
    private static let capabilities = ":switch:message:"
    private static let version: (major: Int32, minor: Int32) = (1, 1)

    /// Announces the client to the manager.
    ///
    /// - Parameter executable: The program as it was called.
    static func announce(executable: String, process: Int32) -> OSCMessage {
        OSCMessage(
            RequestAddress.announce, .string(applicationName), .string(capabilities), .string(executable),
            .integer(version.major), .integer(version.minor), .integer(process))
    }

    /// A request has been carried out.
    static func reply(to path: String, _ words: String) -> OSCMessage {
        OSCMessage("/reply", .string(path), .string(words))
    }

    /// A request has not been carried out.
    static func error(_ refusal: Refusal, to path: String) -> OSCMessage {
        OSCMessage("/error", .string(path), .integer(refusal.code.rawValue), .string(refusal.reason))
    }

    /// Something that the manager may show.
    static func message(_ words: String, _ priority: Priority) -> OSCMessage {
        OSCMessage("/nsm/client/message", .integer(priority.rawValue), .string(words))
    }

    /// How important a message is; the API knows 0 to 3.
    enum Priority: Int32 {
        case note = 0
        case trouble = 2
    }
}

/// Why a request was not carried out.
struct Refusal: Error, Equatable, CustomStringConvertible {
    /// Those of the API's codes that are used here.
    enum Code: Int32 {
        case general = -1
        case noSessionOpen = -6
        case notNow = -8
        case badProject = -9
        case createFailed = -10
    }

    var code: Code
    var reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    var description: String { reason }
}
