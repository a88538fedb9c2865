import NIOCore
import NIOWebSocket

/// Why a page's connection is closed: a code of RFC 6455, 7.4 and a reason in words.
package struct PageClose: Error, Equatable {
    package var code: UInt16
    package var reason: String

    package init(code: UInt16, reason: String) {
        self.code = code
        self.reason = reason
    }

    package static let ending = PageClose(code: 1001, reason: "pixelboop-web is stopping")
    package static let notUnderstood = PageClose(code: 1002, reason: "WebSocket protocol error")
    package static let binary = PageClose(code: 1003, reason: "messages must be text")
    package static let notText = PageClose(code: 1007, reason: "messages must be UTF-8")
    package static let newline = PageClose(code: 1007, reason: "a message must be one line, without a newline")
    package static let tooLong = PageClose(code: 1009, reason: "a message may have at most 2 MiB")
    package static let tooManyFragments = PageClose(
        code: 1009, reason: "a message may come in at most \(GatewaySettings.maximumFragments) fragments")
    package static let tooLongForToken = PageClose(
        code: 1009, reason: "before the token a message may have at most 512 bytes")
    package static let unfinished = PageClose(code: 1008, reason: "a message took too long to arrive")
    package static let tooManyUnfinished = PageClose(code: 1013, reason: "too many long messages at once")
    package static let tooManyWaiting = PageClose(
        code: 1013, reason: "too many connections from this address without a token")
    package static let tooManyPages = PageClose(code: 1013, reason: "too many pages are connected")
    package static let daemonSilent = PageClose(code: 1013, reason: "pixelboopd does not answer")
    package static let daemonEnded = PageClose(code: 1013, reason: "pixelboopd closed the connection")
    package static let daemonTooOld = PageClose(
        code: 1013, reason: "pixelboopd is older than pixelboop-web: it does not know remote clients")
    package static let tokenWrong = PageClose(code: 4401, reason: "wrong token")
    package static let tokenLate = PageClose(code: 4401, reason: "no token came in time")
    package static let tokenReplaced = PageClose(code: 4401, reason: "the token has changed")

    static func daemonAway(_ why: String) -> PageClose { PageClose(code: 1013, reason: "no pixelboopd: \(why)") }

    /// What an error of the handlers before the page's says about its input; nil if it is not about that.
    init?(_ error: any Error, isTrusted: Bool) {
        switch error {
        case let reason as PageClose: self = reason
        case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge:
            self = isTrusted ? .tooLong : .tooLongForToken
        case NIOWebSocketFrameAggregator.Error.tooManyFragments: self = .tooManyFragments
        case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error: self = .notUnderstood
        default: return nil
        }
    }

    /// The answer to a page's close frame: its code, or an error if the code is not allowed.
    static func answer(to payload: ByteBuffer) -> ByteBuffer {
        guard payload.readableBytes > 0 else { return payload }
        guard let code = payload.getInteger(at: payload.readerIndex, as: UInt16.self), isSendable(code),
            (try? UTF8Span(validating: payload.readableBytesUInt8Span.extracting(droppingFirst: 2))) != nil
        else { return PageClose.notUnderstood.payload }
        return ByteBuffer(integer: code)
    }

    /// Whether a close frame may contain a code: one that the standard allows there, or one that it leaves to others.
    package static func isSendable(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// The payload of the close frame; control frames have room for 125 bytes.
    var payload: ByteBuffer {
        var payload = ByteBuffer(integer: code)
        var reason = Substring(reason)
        while reason.utf8.count > 123 { reason.removeLast() }
        payload.writeSubstring(reason)
        return payload
    }
}
