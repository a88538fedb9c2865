import DaemonTestSupport
import Foundation
import Glibc
import JackTestSupport
import PixelBoopClient
import TestSupport

/// All other traffic at a daemon: files, guests who come and go, and clients that do not read.
enum Traffic {
    /// Performs acts of some kinds until cancelled.
    ///
    /// - Parameters:
    ///   - pauses: Milliseconds between acts.
    ///   - file: Where sound is exported to.
    static func perform(
        _ acts: [RandomMusician.Act], at path: String, pausing pauses: ClosedRange<Int>, exportingTo file: String = "",
        seed: UInt64
    ) async throws {
        let client = try await PixelBoopClient.connect(to: path)
        var random = SeededGenerator(seed: seed)
        var musician = RandomMusician(seed: seed, exportingTo: file)
        while !Task.isCancelled {
            try await musician.perform(acts.randomElement(using: &random)!, at: client)
            try await Task.sleep(for: .milliseconds(Int.random(in: pauses, using: &random)))
        }
    }

    /// Saves files, changes sounds, launches, mixes, edits and undoes, until cancelled.
    static func makeMusic(at path: String, exportingTo file: String, seed: UInt64) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let kinds: [([RandomMusician.Act], ClosedRange<Int>)] = [
                ([.files], 200...2000), ([.sounds], 20...1000), ([.launches], 50...3000),
                ([.notes, .motions, .slots, .lenses], 50...1000), ([.mix, .history], 50...1000),
            ]
            for (acts, pauses) in kinds {
                group.addTask {
                    try await perform(acts, at: path, pausing: pauses, exportingTo: file, seed: seed)
                }
            }
            try await group.waitForAll()
        }
    }

    /// Connects, makes calls and leaves, again and again, sometimes in the middle of a gesture.
    static func visit(_ path: String, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        while !Task.isCancelled {
            let client = try await PixelBoopClient.connect(to: path)
            _ = try await client.subscribe()
            _ = try await client.statistics()
            for moment in RandomGesture(finger: 1, using: &random).moments.dropLast() {
                try await client.send(moment.touch)
            }
            client.close()
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...500, using: &random)))
        }
    }

    /// Keeps the music going, whatever the players' fingers hit.
    static func conduct(at path: String) async throws {
        let client = try await PixelBoopClient.connect(to: path)
        while !Task.isCancelled {
            do {
                try await client.play()
            } catch ClientError.refused {
                // There is no JACK server at the moment.
            }
            try await Task.sleep(for: .seconds(2))
        }
    }

    /// Subscribes and does not read for a while, then reads everything, again and again.
    static func dawdle(at path: String, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let socket = try TrafficSocket(connectingTo: path)
        try socket.send(#"{"jsonrpc":"2.0","method":"subscribe","params":{"topics":["frame","state","step"]},"id":1}"#)
        while !Task.isCancelled {
            try await Task.sleep(for: .seconds(Int.random(in: 1...10, using: &random)))
            guard socket.drain() else { throw ClientError.connectionLost(reason: "a slow client was disconnected") }
        }
    }

    /// Makes calls without ever reading an answer, until it is disconnected, as it must be; then connects again.
    static func ignoreAnswers(at path: String) async throws {
        while !Task.isCancelled {
            let socket = try TrafficSocket(connectingTo: path)
            while !Task.isCancelled, (try? socket.send(#"{"jsonrpc":"2.0","method":"frame.get","id":1}"#)) != nil {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}

/// A connection that is only read on request.
private final class TrafficSocket: Sendable {
    private let descriptor: CInt

    init(connectingTo path: String) throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard withUnixAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    deinit { close(descriptor) }

    /// Sends a line without waiting.
    func send(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        let count = Glibc.send(
            descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        // A full socket is fine, too: this client wants to be a burden.
        guard count >= 0 || errno == EAGAIN else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    /// Reads everything available; false at the end of the connection.
    func drain() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            if count < 0 { return errno == EAGAIN }
            if count == 0 { return false }
        }
    }
}
