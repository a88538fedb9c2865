import DaemonTestSupport
import Foundation
import Glibc
import JackTestSupport
import PixelBoopClient
import TestSupport

/// Everything else that goes on at a daemon: files, guests who come and go, and clients that do not read.
enum Traffic {
    /// Saves, loads, lists, renames, deletes and exports until cancelled.
    static func useLibrary(at path: String, exportingTo directory: String, seed: UInt64) async throws {
        let client = try await PixelBoopClient.connect(to: path)
        var random = SeededGenerator(seed: seed)
        while !Task.isCancelled {
            let name = "pattern \(Int.random(in: 1...20, using: &random))"
            do {
                switch Int.random(in: 0..<8, using: &random) {
                case 0, 1: try await client.save(name)
                case 2: try await client.load(name)
                case 3: _ = try await client.library()
                case 4: try await client.rename(name, to: "renamed \(Int.random(in: 1...5, using: &random))")
                case 5: try await client.delete(name)
                case 6: _ = try await client.exportMIDI(loops: 2)
                default: _ = try await client.exportWAV(to: directory + "/export.wav")
                }
            } catch ClientError.refused {
                // There is no such pattern, or the new name is taken.
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 200...2000, using: &random)))
        }
    }

    /// Changes presets, kits, sends and effects until cancelled.
    static func changeSounds(at path: String, seed: UInt64) async throws {
        let client = try await PixelBoopClient.connect(to: path)
        var random = SeededGenerator(seed: seed)
        while !Task.isCancelled {
            try await client.changeSounds(using: &random)
            try await Task.sleep(for: .milliseconds(Int.random(in: 20...1000, using: &random)))
        }
    }

    /// Connects, asks for things and leaves, again and again, sometimes in the middle of a gesture.
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
        let socket = try RawSocket(connectingTo: path)
        try socket.send(#"{"jsonrpc":"2.0","method":"subscribe","params":{"topics":["frame","state","step"]},"id":1}"#)
        while !Task.isCancelled {
            try await Task.sleep(for: .seconds(Int.random(in: 1...10, using: &random)))
            guard socket.drain() else { throw ClientError.connectionLost(reason: "a slow client was sent away") }
        }
    }

    /// Asks and asks and never reads an answer, until it is sent away, as it must be; then comes again.
    static func ignoreAnswers(at path: String) async throws {
        while !Task.isCancelled {
            let socket = try RawSocket(connectingTo: path)
            while !Task.isCancelled, (try? socket.send(#"{"jsonrpc":"2.0","method":"frame.get","id":1}"#)) != nil {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}

/// A connection that nobody reads from unless told to.
private final class RawSocket: Sendable {
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
        // A full socket is as good as a sent line: this client wants to be a burden.
        guard count >= 0 || errno == EAGAIN else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    /// Reads everything that is there; false at the end of the connection.
    func drain() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            if count < 0 { return errno == EAGAIN }
            if count == 0 { return false }
        }
    }
}
