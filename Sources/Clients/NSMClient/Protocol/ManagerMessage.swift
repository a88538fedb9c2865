import OSC

/// The messages of a session manager to its clients (New Session Manager API 1.1).
enum ManagerMessage: Equatable, Sendable {
    /// We were accepted into a session; the manager's name.
    case welcome(manager: String)
    /// We were refused, and why.
    case refusal(code: Int, reason: String)
    /// Open a project, after closing the current one.
    case open(Project)
    /// Write everything to disk.
    case save
    /// A request with wrong values, which needs an answer.
    case malformed(path: String, expected: String)

    /// Reads a message; nil for one that can be ignored.
    init?(_ message: OSCMessage) {
        let texts = message.arguments.map(\.text)
        switch message.address {
        case "/reply" where texts.first == RequestAddress.announce:
            self = .welcome(manager: texts.count > 2 ? texts[2] ?? "" : "")
        case "/error" where texts.first == RequestAddress.announce:
            let code = message.arguments.count > 1 ? message.arguments[1].int : nil
            self = .refusal(code: code ?? 0, reason: texts.count > 2 ? texts[2] ?? "" : "")
        case RequestAddress.open:
            if texts.count == 3, let path = texts[0], let name = texts[1], let client = texts[2] {
                self = .open(Project(path: path, displayName: name, clientID: client))
            } else {
                self = .malformed(path: RequestAddress.open, expected: "a path, a name and a client's id as texts")
            }
        case RequestAddress.save: self = .save
        default: return nil
        }
    }
}

/// The addresses of requests, which answers quote.
enum RequestAddress {
    static let announce = "/nsm/server/announce"
    static let open = "/nsm/client/open"
    static let save = "/nsm/client/save"
}

struct Project: Equatable, Sendable {
    /// The folder for all files of the project; the manager does not create it.
    var path: String
    /// The session's name, for people.
    var displayName: String
    /// The name to have in JACK.
    var clientID: String
}
