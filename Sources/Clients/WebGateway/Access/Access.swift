import JSON
import NIOHTTP1

/// Decides who may connect, by the headers of a request.
struct Access: Sendable {
    /// The host names that requests may use.
    var names = HostNames()
    /// Other sites whose pages may connect too.
    var origins: Set<PageOrigin> = []
    /// Whether browsers on this machine need the token too.
    var demandsToken = false

    /// Whether everyone needs the token. Further origins or host names suggest a proxy, whose connections all come from
    /// this machine.
    var everybodyNeedsToken: Bool { demandsToken || names.hasFurther || !origins.isEmpty }

    /// The decision on a request to connect.
    enum Decision: Equatable {
        case admit(needsToken: Bool)
        case refuse(HTTPResponseStatus, String)
    }

    /// The headers that are compared with something. In others, such as cookies, anything is allowed.
    private static let compared: Set = [
        "host", "origin", "connection", "upgrade", "sec-websocket-version", "sec-websocket-key",
        "sec-websocket-protocol", "if-none-match", "accept-encoding",
    ]

    /// Why a request is refused outright; nil if it may be answered.
    func refusal(of head: HTTPRequestHead) -> HTTPAnswer? {
        // Comparing combining marks takes seconds.
        guard head.uri.isASCII,
            head.headers.allSatisfy({ $0.value.isASCII || !Self.compared.contains($0.name.lowercased()) })
        else { return HTTPAnswer(.badRequest, "the path and the headers that are used here must be ASCII") }
        let hosts = head.headers["Host"]
        guard hosts.count == 1, let host = hosts.first else {
            return HTTPAnswer(.badRequest, "a request must have exactly one Host")
        }
        guard names.contain(host) else {
            return HTTPAnswer(.forbidden, "this is not \(host); pixelboop-web --host allows further names")
        }
        return nil
    }

    /// Whether a page may connect to the instrument, given a request that may be answered.
    ///
    /// - Parameter isLocal: Whether it comes from this machine.
    func decision(on head: HTTPRequestHead, isLocal: Bool) -> Decision {
        let given = head.headers["Origin"]
        guard let text = given.first else { return .admit(needsToken: true) }
        guard given.count == 1, let origin = PageOrigin(text), let host = head.headers.first(name: "Host"),
            origin.isServed(by: host) || origins.contains(origin)
        else {
            return .refuse(
                .forbidden,
                """
                pages of another origin may not connect; pixelboop-web --origin allows them, and then asks everybody \
                for the token
                """)
        }
        return .admit(needsToken: everybodyNeedsToken || !isLocal)
    }
}
