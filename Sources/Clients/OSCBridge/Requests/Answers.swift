import JSON
import OSC
import PixelBoopClient
import Wire

enum Answers {
    /// The error code for a missing daemon.
    static let noDaemon = -32_000
    /// The error code for what only confirmed places get.
    static let unconfirmed = -32_099

    /// Short, because it may be no longer than three times the request.
    static func confirmationNeeded(_ method: String) -> OSCMessage {
        error(method, WireError(ErrorCode(number: unconfirmed), "confirm yourself first"))
    }

    /// `/pixelboop/reply METHOD result`
    static func reply(_ method: String, _ result: JSONValue) -> OSCMessage {
        OSCMessage("/pixelboop/reply", .string(method), .string(result.text))
    }

    /// `/pixelboop/error METHOD code message`
    static func error(_ method: String, _ error: WireError) -> OSCMessage {
        OSCMessage(
            "/pixelboop/error", .string(method), .integer(Int32(clamping: error.code.number)),
            .string(error.description))
    }

    /// The daemon's refusal, or an error of the connection to it.
    static func error(_ method: String, _ error: any Error) -> OSCMessage {
        if case .refused(let refusal)? = error as? ClientError { return self.error(method, refusal) }
        return self.error(method, WireError(ErrorCode(number: noDaemon), "\(error)"))
    }

    /// `/pixelboop/namespace ADDRESS TYPES PARAMETERS` for each method: the types and the names of all parameters,
    /// optional ones in brackets.
    static var namespace: [OSCMessage] {
        let redirection = OSCMessage(
            OSCRequest.listing, .string(OSCRequest.redirection), .string("i"), .string("port"))
        return [redirection]
            + Methods.all.map { method in
                let names = method.parameters.map { $0.isRequired ? $0.name : "[\($0.name)]" }
                return OSCMessage(
                    OSCRequest.listing, .string(OSCRequest.prefix + method.name.replacing(".", with: "/")),
                    .string(method.parameters.map(\.oscType).joined()), .string(names.joined(separator: " ")))
            }
    }
}

extension ParameterDescription {
    /// The OSC type of its values; `s` also for values that are written as JSON.
    fileprivate var oscType: String {
        switch schema.json["type"] {
        case "integer": "i"
        case "number": "f"
        case "boolean": "T"
        default: "s"
        }
    }
}
