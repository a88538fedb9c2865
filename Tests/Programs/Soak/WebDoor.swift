import Foundation
import GatewayTestSupport
import JackTestSupport

/// A way to the daemon through the gateway: a Unix-domain socket that carries each connection over a WebSocket, so that
/// any client of the library can connect like a page.
final class WebDoor: Sendable {
    /// Where clients connect.
    let path: String
    private let listener: CInt

    /// - Parameter port: The gateway's port on this machine.
    init(at path: String, toGatewayAt port: Int) throws {
        self.path = path
        let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        guard withUnixAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, SOMAXCONN) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        Thread.detachNewThread {
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                let client = RawSocket(adopting: descriptor)
                Task { try? await Self.carry(client, toGatewayAt: port) }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, CInt(SHUT_RDWR)) }

    /// Carries lines one way and messages the other, until either side is gone.
    private static func carry(_ client: RawSocket, toGatewayAt port: Int) async throws {
        let page = try Browser(port: port)
        try await page.connect()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true { try await page.say(String(client.read(through: "\n").dropLast())) }
            }
            group.addTask {
                while true {
                    let (firstByte, payload) = try await page.frame()
                    switch firstByte {
                    case 0x81: try await client.send(payload + [UInt8(ascii: "\n")])
                    case 0x89: try await page.send(0x8a, payload)
                    default: throw RawSocket.Ended()
                    }
                }
            }
            // The end of one side releases the task that waits for the other.
            defer {
                page.socket.finish()
                client.finish()
            }
            try await group.next()
        }
    }
}
