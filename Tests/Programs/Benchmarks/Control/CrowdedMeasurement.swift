import Foundation
import Glibc
import JSON
import JackTestSupport
import Synchronization

/// How long a client waits for an answer while three others send, without a pause, what takes the daemon longest.
struct CrowdedMeasurement {
    let seconds: Double

    private static let attackers = 3
    /// Seconds between the pings of the waiting client.
    private static let pause = 0.002

    func run() async throws {
        try await BenchmarkRig.with { rig in
            try measure("nobody else", nil, on: rig)
            for load in CrowdLoad.allCases { try measure(load.rawValue, load, on: rig) }
        }
    }

    private func measure(_ title: String, _ load: CrowdLoad?, on rig: BenchmarkRig) throws {
        let attackers = try (0..<(load == nil ? 0 : Self.attackers)).map { _ in
            try Attacker(sending: load!.bytes, to: rig.socketPath)
        }
        let client = try rig.connect()
        var times: [Double] = []
        let end = monotonicSeconds() + seconds
        while monotonicSeconds() < end {
            let start = monotonicSeconds()
            try client.call("ping")
            times.append(monotonicSeconds() - start)
            usleep(UInt32(1e6 * Self.pause))
        }
        let sent = attackers.map { $0.stop() }.reduce(0, +)
        report(title, Distribution(times), megabytes: Double(sent) / 1e6 / seconds)
    }

    private func report(_ title: String, _ times: Distribution, megabytes: Double) {
        let milliseconds = [times.quantile(0.5), times.quantile(0.99), times.maximum].map { 1e3 * $0 }
        let table = ControlTable("ping beside: " + title, columns: ["p50 ms", "p99 ms", "max ms", "MB/s sent"])
        table.row("", milliseconds.map { ControlTable.text($0, 2) } + [ControlTable.text(megabytes, 1)])
        Results.record(
            benchmark: "control crowded: \(title)",
            ["p50": .number(milliseconds[0]), "p99": .number(milliseconds[1]), "max": .number(milliseconds[2])])
    }
}

/// What the attackers send over and over.
private enum CrowdLoad: String, CaseIterable {
    case batches = "batches of 1000 edits"
    case pipelines = "calls without a pause"
    case empty = "empty lines"
    case numbers = "long lines of numbers"
    case objects = "long lines of objects"
    case patterns = "large patterns"

    private static let longest = 2_097_152

    var bytes: [UInt8] {
        let edit = #"{"jsonrpc":"2.0","method":"tempo.set","params":{"bpm":100},"id":1}"#
        switch self {
        case .batches: return Self.line("[" + Self.list(of: edit, 1000) + "]")
        case .pipelines: return Array(repeating: Self.line(edit), count: 1000).flatMap(\.self)
        case .empty: return Array(repeating: 10, count: 1000)
        case .numbers: return Self.line("[" + Self.list(of: "1", Self.longest / 2 - 1) + "]")
        case .objects: return Self.line("[" + Self.list(of: #"{"a":[0]}"#, Self.longest / 10 - 1) + "]")
        case .patterns:
            let pattern = #"{"tracks":{},"more":[\#(Self.list(of: "[0]", 1 << 16 - 64))]}"#
            return Self.line(#"{"jsonrpc":"2.0","method":"pattern.set","params":{"pattern":\#(pattern)},"id":1}"#)
        }
    }

    private static func list(of element: String, _ count: Int) -> String {
        Array(repeating: element, count: count).joined(separator: ",")
    }

    private static func line(_ text: String) -> [UInt8] { Array(text.utf8) + [10] }
}

/// A client that sends the same bytes without a pause, on a thread of its own; another thread reads the answers.
private final class Attacker: Sendable {
    private let bytes: [UInt8]
    private let path: String
    private let isStopped = Atomic(false)
    private let sentBytes = Atomic(0)
    private let end = DispatchSemaphore(value: 0)

    init(sending bytes: [UInt8], to path: String) throws {
        (self.bytes, self.path) = (bytes, path)
        Thread.detachNewThread { [self] in
            while !isStopped.load(ordering: .relaxed) { attack() }
            end.signal()
        }
    }

    /// Ends it, and returns how many bytes it has sent.
    func stop() -> Int {
        isStopped.store(true, ordering: .relaxed)
        end.wait()
        return sentBytes.load(ordering: .relaxed)
    }

    /// Sends until the daemon closes the connection.
    private func attack() {
        guard let socket = try? LineSocket(connectingTo: path) else { return }
        let descriptor = socket.descriptor
        let hasRead = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
            buffer.deallocate()
            hasRead.signal()
        }
        while !isStopped.load(ordering: .relaxed), (try? socket.send(bytes)) != nil {
            sentBytes.add(bytes.count, ordering: .relaxed)
        }
        shutdown(descriptor, CInt(SHUT_RDWR))
        hasRead.wait()
    }
}
