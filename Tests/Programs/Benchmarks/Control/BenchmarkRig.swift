import DaemonTestSupport
import Foundation
import JSON
import JackTestSupport
import TestSupport
import Wire

/// A daemon on a JACK server of the benchmark's own.
final class BenchmarkRig {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let files: DaemonFolder
    let daemon: ChildProgram

    /// Runs a measurement with a daemon that JACK calls for audio: 64 frames a period at 48 kHz.
    ///
    /// - Parameter options: Further flags for the daemon.
    static func with(options: [String] = [], _ body: @escaping @Sendable (BenchmarkRig) async throws -> Void)
        async throws
    {
        try await JackServer.with(period: 64, limit: .seconds(3600)) { server in
            let rig = try await BenchmarkRig(on: server.name, options: options)
            try await body(rig)
            await rig.daemon.end()
        }
    }

    private init(on server: String, options: [String]) async throws {
        files = try DaemonFolder()
        daemon = try files.start(on: server, options: options)
        try await daemon.wait(for: "listening on")
        try await daemon.wait(for: "JACK client")
    }

    /// For other files of the benchmark.
    var directory: URL { files.folder }

    /// Where the daemon listens.
    var socketPath: String { files.socket }

    /// A connection with the daemon's welcome already read.
    func connect() throws -> LineSocket {
        let socket = try LineSocket(connectingTo: socketPath)
        _ = try socket.line()
        return socket
    }

    /// What is played if something must be.
    static let demo = URL(filePath: "config/demo.json")

    /// Plays the demo.
    func playDemo() throws {
        let text = try String(contentsOf: Self.demo, encoding: .utf8).split(whereSeparator: \.isNewline).joined()
        let client = try connect()
        try client.call("pattern.set", #"{"pattern":\#(text)}"#)
        try client.call("transport.play")
    }

    /// The daemon's statistics.
    static func statistics(_ client: LineSocket) throws -> Statistics {
        try Statistics(json: try client.result(of: "stats.get"))
    }
}

extension LineSocket {
    /// Makes a call, and returns its result.
    func result(of method: String) throws -> JSONValue {
        let answer = try JSONValue(parsing: try call(method).utf8.dropLast()).objectValue
        return answer?["result"] ?? .null
    }
}

extension ChildProgram {
    /// Starts this program with one of the ``ControlFloors``.
    static func floor(_ name: String, _ arguments: [String]) throws -> ChildProgram {
        try ChildProgram(.product("benchmarks"), ["floor", name] + arguments, output: .logged).start()
    }

    /// Resident memory in bytes.
    var residentBytes: Int { ProcessUse(of: identifier).residentKilobytes * 1024 }
}
