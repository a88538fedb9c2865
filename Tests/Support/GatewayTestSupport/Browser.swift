import WebGateway

/// What a browser does, and what it would never do: over a raw socket.
package struct Browser: Sendable {
    package let socket: RawSocket
    package let port: Int

    package init(port: Int, room: CInt? = nil) throws {
        self.port = port
        socket = try RawSocket(port: port, room: room)
    }

    package struct Answer: Equatable {
        package var status: Int
        package var headers: [String: String]
        package var body: String
    }

    // MARK: HTTP

    package func request(
        _ path: String = "/", method: String = "GET", host: String? = "localhost", further: [String] = []
    ) -> String {
        let lines = ["\(method) \(path) HTTP/1.1"] + (host.map { ["Host: \($0):\(port)"] } ?? []) + further
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    package func ask(_ text: String) async throws -> Answer {
        try await socket.send(text)
        return try await answer(withBody: !text.hasPrefix("HEAD"))
    }

    package func answer(withBody: Bool = true) async throws -> Answer {
        let lines = try await socket.read(through: "\r\n\r\n").split(separator: "\r\n")
        let status = Int(lines[0].split(separator: " ")[1]) ?? 0
        let headers = lines.dropFirst().map { line in
            let end = line.firstIndex(of: ":") ?? line.endIndex
            return (line[..<end].lowercased(), String(line[end...].dropFirst(2)))
        }
        var answer = Answer(status: status, headers: Dictionary(headers) { "\($0), \($1)" }, body: "")
        if withBody, let count = answer.headers["content-length"].flatMap(Int.init) {
            answer.body = String(decoding: try await socket.read(count), as: UTF8.self)
        }
        return answer
    }

    // MARK: WebSocket

    /// The head of a request to connect; nil leaves a header out.
    package func handshake(
        path: String = "/socket", host: String = "localhost", origin: String? = "http://localhost",
        key: String? = "dGhlIHNhbXBsZSBub25jZQ==", version: String? = "13", subprotocol: String? = "pixelboop.v1"
    ) -> String {
        let headers = [
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Origin", origin.map { "\($0):\(port)" }),
            ("Sec-WebSocket-Key", key), ("Sec-WebSocket-Version", version), ("Sec-WebSocket-Protocol", subprotocol),
        ]
        return request(path, host: host, further: headers.compactMap { name, value in value.map { "\(name): \($0)" } })
    }

    package func connect(
        path: String = "/socket", host: String = "localhost", origin: String? = "http://localhost"
    ) async throws {
        let answer = try await ask(handshake(path: path, host: host, origin: origin))
        guard answer.status == 101 else { throw RawSocket.Ended() }
    }

    package func say(_ text: String) async throws { try await send(0x81, Array(text.utf8)) }

    package func send(_ firstByte: UInt8, _ payload: [UInt8], isMasked: Bool = true) async throws {
        try await socket.send(Self.frame(firstByte, payload, isMasked: isMasked))
    }

    package static func frame(_ firstByte: UInt8, _ payload: [UInt8], isMasked: Bool = true) -> [UInt8] {
        let mask: [UInt8] = isMasked ? [0x12, 0x34, 0x56, 0x78] : []
        let bit: UInt8 = isMasked ? 0x80 : 0
        let length: [UInt8] =
            switch payload.count {
            case ...125: [bit | UInt8(payload.count)]
            case ...0xffff: [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
            default: [bit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
            }
        let data = isMasked ? payload.enumerated().map { $1 ^ mask[$0 % 4] } : payload
        return [firstByte] + length + mask + data
    }

    /// The next frame: its first byte, and its payload.
    package func frame() async throws -> (firstByte: UInt8, payload: [UInt8]) {
        let head = try await socket.read(2)
        var count = Int(head[1])
        if count > 125 {
            count = try await socket.read(count == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
        }
        return (head[0], try await socket.read(count))
    }

    /// The next message; skips pings, which come when the machine is slow.
    package func message() async throws -> String {
        var frame = try await frame()
        while frame.firstByte == 0x89 { frame = try await self.frame() }
        guard frame.firstByte == 0x81 else { throw Unexpected(firstByte: frame.firstByte, payload: frame.payload) }
        return String(decoding: frame.payload, as: UTF8.self)
    }

    /// The gateway's reason for closing; skips other frames.
    package func closing() async throws -> PageClose {
        while true {
            let (firstByte, payload) = try await frame()
            guard firstByte == 0x88 else { continue }
            return PageClose(
                code: UInt16(payload[0]) << 8 | UInt16(payload[1]),
                reason: String(decoding: payload.dropFirst(2), as: UTF8.self))
        }
    }

    package func authenticate(_ token: String) async throws {
        try await say(#"{"jsonrpc":"2.0","method":"authenticate","params":{"token":"\#(token)"}}"#)
    }

    package struct Unexpected: Error {
        package var firstByte: UInt8
        package var payload: [UInt8]
    }
}
