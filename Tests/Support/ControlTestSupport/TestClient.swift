import JSON
import NIOCore
import TestSupport
import Wire

/// The connection between a test's client and the server, over a socket or in process.
package protocol TestTransport: Sendable {
    /// The lines that the server sends, without newlines; ends with the connection.
    var lines: AsyncStream<[UInt8]> { get }

    func send(_ bytes: [UInt8]) async throws
    /// Closes the sending side.
    func endInput() async throws
    func close() async
}

/// A client that waits for what it expects.
package final class TestClient {
    package let transport: any TestTransport
    private var lines: AsyncStream<[UInt8]>.Iterator
    private var nextID = 1

    private var notifications: [DaemonNotification] = []

    /// Notifications that arrived while waiting for an answer, and have not been read.
    package var pendingNotifications: [DaemonNotification] { notifications }

    package struct Ended: Error {
        package init() {}
    }
    package struct Unexpected: Error {
        var message: DaemonMessage
    }

    package init(over transport: any TestTransport) {
        self.transport = transport
        lines = transport.lines.makeAsyncIterator()
    }

    // MARK: Sending

    package func send(_ line: String) async throws {
        try await transport.send(Array(line.utf8) + [UInt8(ascii: "\n")])
    }

    package func notify(_ method: String, _ parameters: JSONObject = [:]) async throws {
        try await transport.send(Request(id: nil, method: method, parameters: .byName(parameters)).line)
    }

    /// A touch in the middle of a cell, sent as a notification.
    package func touch(_ phase: String, id: Int = 1, _ column: Int, _ row: Int) async throws {
        try await notify("touch", TestClient.touch(phase, id: id, column, row))
    }

    /// The parameters of a touch in the middle of a cell.
    package static func touch(_ phase: String, id: Int = 1, _ column: Int, _ row: Int) -> JSONObject {
        [
            "touch": .integer(id), "phase": .string(phase), "x": .number(Double(column) + 0.5),
            "y": .number(Double(row) + 0.5),
        ]
    }

    // MARK: Receiving

    /// The next line as it arrived.
    package func line() async throws -> String {
        guard let line = await lines.next(isolation: nil) else { throw Ended() }
        return String(decoding: line, as: UTF8.self)
    }

    /// The next line as JSON.
    package func json() async throws -> JSONValue {
        try JSONValue(parsing: try await line())
    }

    /// Whether the server closed the connection without sending more.
    package func hasEnded() async -> Bool {
        await lines.next(isolation: nil) == nil
    }

    private func message() async throws -> DaemonMessage {
        try DaemonMessage.messages(parsing: Array(try await line().utf8))[0]
    }

    /// The next notification.
    package func notification() async throws -> DaemonNotification {
        if !notifications.isEmpty { return notifications.removeFirst() }
        let message = try await message()
        guard case .notification(let notification) = message else { throw Unexpected(message: message) }
        return notification
    }

    /// Drops the notifications that arrived while waiting for an answer.
    package func forgetNotifications() {
        notifications = []
    }

    /// The next notification of a kind; others are dropped.
    package func next<Message: NotificationMessage>(_ kind: Message.Type = Message.self) async throws -> Message {
        while true {
            if let message = try await notification().message(as: kind) { return message }
        }
    }

    /// The next merge patch of the state; other notifications are dropped.
    package func nextPatch() async throws -> JSONValue {
        while true {
            if case .state(let patch) = try await notification() { return patch }
        }
    }

    /// The next answer; notifications are kept for later.
    package func response() async throws -> Response {
        while true {
            switch try await message() {
            case .response(let response): return response
            case .notification(let notification): notifications.append(notification)
            }
        }
    }

    /// Makes a call, and returns its result.
    @discardableResult
    package func call(_ method: String, _ parameters: JSONObject = [:]) async throws -> JSONValue {
        defer { nextID += 1 }
        try await transport.send(
            Request(id: .integer(nextID), method: method, parameters: .byName(parameters)).line)
        let response = try await response()
        guard response.id == .integer(nextID) else { throw Unexpected(message: .response(response)) }
        return try response.result.get()
    }

    /// The error of a refused call, nil if it succeeds.
    package func refusal(_ method: String, _ parameters: JSONObject = [:]) async throws -> WireError? {
        do {
            try await call(method, parameters)
            return nil
        } catch let error as WireError {
            return error
        }
    }
    /// Waits until all other clients are gone.
    package func untilAlone() async throws {
        try await waitUntil { try Statistics(json: try await call("stats.get")).clients.count <= 1 }
    }
}
