import Glibc
import Logging
import NIOCore
import NIOPosix
import WebGateway

/// A gateway that receives any input, and whose answers are checked against its rules.
package final class HostileVisit: Sendable {
    package struct Broken: Error {
        package var rule: String
    }

    /// How bytes are sent.
    package enum Kind: Int, CaseIterable {
        /// As requests.
        case requests
        /// As they are, after a handshake.
        case stream
        /// As frames after a handshake: for each a first byte, a length and the payload.
        case frames
        /// As frames after a handshake, from a client that has not sent the token.
        case strangers
    }

    private let daemon: EchoDaemon
    private let gateway: Gateway
    private let token: String

    /// Starts a gateway.
    ///
    /// - Parameter tokenPath: Where its token is kept.
    package init(tokenPath: String) async throws {
        daemon = try EchoDaemon()
        let file = TokenFile(path: tokenPath)
        token = try file.readOrMake().text
        gateway = try await Gateway.start(
            GatewaySettings(socketPath: daemon.path), on: [], tokenFile: file,
            eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private static let handshake = """
        GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
        """

    /// Sends bytes on a new connection, hangs up, and checks the answer.
    package func say(_ bytes: [UInt8], as kind: Kind) async throws {
        let (answer, channel) = try talk(said(bytes, as: kind))
        // One direction may have been closed before the other.
        try await channel.closeFuture.get()
        switch kind {
        case .requests: try Self.check(answers: answer[...])
        case .stream, .frames, .strangers:
            guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else {
                throw Broken(rule: "a handshake is answered")
            }
            try Self.check(answers: answer[..<end.upperBound])
            try Self.check(frames: answer[end.upperBound...], ofStranger: kind == .strangers)
        }
        guard try await gateway.unfinishedBytes == 0 else { throw Broken(rule: "a message that ended takes no memory") }
        guard try await gateway.connectionCount == 0 else { throw Broken(rule: "a connection that ended is forgotten") }
    }

    private func said(_ bytes: [UInt8], as kind: Kind) -> [UInt8] {
        guard kind != .requests else { return bytes }
        let call = #"{"jsonrpc":"2.0","method":"authenticate","params":{"token":"\#(token)"}}"#
        let opening = Array(Self.handshake.utf8) + (kind == .strangers ? [] : Browser.frame(0x81, Array(call.utf8)))
        guard kind != .stream else { return opening + bytes }
        var rest = bytes[...]
        var frames: [UInt8] = []
        while let first = rest.popFirst(), let length = rest.popFirst() {
            frames += Browser.frame(first, Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        return opening + frames
    }

    /// Sends everything, hangs up, and reads to the end.
    private func talk(_ bytes: [UInt8]) throws -> (answer: [UInt8], channel: any Channel) {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Broken(rule: "there are descriptors")
        }
        defer { close(ends[1]) }
        let channel = try gateway.serve(ends[0])
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(ends[1], $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            // The gateway need not read on after its last answer.
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        shutdown(ends[1], CInt(SHUT_WR))
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while case let count = recv(ends[1], &buffer, buffer.count, 0), count > 0 { answer += buffer[..<count] }
        return (answer, channel)
    }

    // MARK: Rules

    private static let statuses: Set<String> = [
        "101", "200", "304", "400", "403", "404", "405", "408", "413", "426", "429", "431", "505",
    ]

    /// The output is empty or begins with an answer.
    private static func check(answers: ArraySlice<UInt8>) throws {
        guard !answers.isEmpty else { return }
        let line = String(decoding: answers.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self).split(separator: " ")
        guard line.count > 2, line[0] == "HTTP/1.1" || line[0] == "HTTP/1.0", statuses.contains(String(line[1])) else {
            throw Broken(rule: "an answer is one of the standard's, not \(line)")
        }
    }

    /// Frames are whole, not masked, and of the kinds that a gateway sends; nothing follows the last.
    private static func check(frames: ArraySlice<UInt8>, ofStranger: Bool) throws {
        var rest = frames
        while let first = rest.popFirst(), var length = rest.popFirst().map(Int.init) {
            guard [0x81, 0x88, 0x89, 0x8a].contains(first), length < 128 else {
                throw Broken(rule: "a frame begins with \(first), \(length)")
            }
            guard first != 0x81 || !ofStranger else { throw Broken(rule: "a stranger hears nothing of the daemon") }
            if length > 125 {
                let size = length == 126 ? 2 : 8
                guard rest.count >= size else { return }
                length = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(size)
            }
            // The output may end in the middle of a frame, because the other side had hung up.
            guard rest.count >= length else { return }
            let payload = rest.prefix(length)
            rest = rest.dropFirst(length)
            guard first == 0x88 else { continue }
            guard rest.isEmpty else { throw Broken(rule: "nothing follows the end") }
            let code = payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
            guard payload.isEmpty || payload.count > 1 && PageClose.isSendable(code) else {
                throw Broken(rule: "\(code) is a reason to close")
            }
        }
    }
}
