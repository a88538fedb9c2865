import NIOCore

/// Why a page's connection is closed: a code of RFC 6455, 7.4 and a reason in words.
struct PageClose: Error, Equatable {
    var code: UInt16
    var reason: String

    static let ending = PageClose(code: 1001, reason: "pixelboop-web is stopping")
    static let notUnderstood = PageClose(code: 1002, reason: "this is against the WebSocket protocol")
    static let binary = PageClose(code: 1003, reason: "messages are text")
    static let notText = PageClose(code: 1007, reason: "a message is not UTF-8")
    static let newline = PageClose(code: 1007, reason: "a message is one line, without a newline")
    static let tooLong = PageClose(code: 1009, reason: "a message has at most 512 KiB")
    static let tooManyPages = PageClose(code: 1013, reason: "as many pages are connected as may be")
    static let daemonSilent = PageClose(code: 1013, reason: "pixelboopd does not answer")
    static let daemonEnded = PageClose(code: 1013, reason: "pixelboopd closed the connection")
    static let daemonTooOld = PageClose(
        code: 1013, reason: "pixelboopd is older than pixelboop-web: it does not know remote clients")
    static let tokenWrong = PageClose(code: 4401, reason: "wrong token")
    static let tokenLate = PageClose(code: 4401, reason: "no token was given")
    static let tokenReplaced = PageClose(code: 4401, reason: "there is a new token")

    /// The daemon cannot be had.
    static func daemonAway(_ why: String) -> PageClose { PageClose(code: 1013, reason: "no pixelboopd: \(why)") }

    /// What the close frame holds: a frame of control has room for 125 bytes.
    var payload: ByteBuffer {
        var payload = ByteBuffer(integer: code)
        var reason = Substring(reason)
        while reason.utf8.count > 123 { reason.removeLast() }
        payload.writeSubstring(reason)
        return payload
    }
}
