import DaemonTestSupport
import Foundation
import JackTestSupport

/// Plays everything that the daemon can do, first with its internal driver, then on a JACK server of its own.
///
/// With the library in `PIXELBOOP_RTSAN` loaded into it (`scripts/check-rt`), `pixelboopd` aborts at the first call in the
/// process callback that may block. Arguments: the seed of all random choices, and for how many seconds everything
/// happens at once.
@main
struct RealtimeCheck {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let seed = arguments.first ?? 1
        let duration = Duration.seconds(arguments.dropFirst().first ?? 40)
        do {
            try await checkInternalDriver(seed: seed, duration: duration / 4)
            try await JackServer.with(period: 64, limit: duration + .seconds(240)) { server in
                try await check(on: server, seed: seed, duration: duration)
            }
        } catch {
            say("\(error)")
            exit(1)
        }
    }

    private static var sanitizer: [String: String] {
        ProcessInfo.processInfo.environment["PIXELBOOP_RTSAN"].map { ["LD_PRELOAD": $0] } ?? [:]
    }

    private static func checkInternalDriver(seed: UInt64, duration: Duration) async throws {
        let daemon = try DaemonProcess(
            jackServer: "pixelboop-nobody", flags: ["--driver", "internal", "--period", "64"], environment: sanitizer)
        try await check(daemon) { try await InternalPerformance(daemon: daemon, seed: seed).play(for: duration) }
    }

    private static func check(on server: JackServer, seed: UInt64, duration: Duration) async throws {
        let daemon = try DaemonProcess(jackServer: server.name, environment: sanitizer)
        do {
            try await check(daemon) {
                try await Performance(server: server, daemon: daemon, seed: seed).play(for: duration)
            }
        } catch {
            // After a client that died in its callback, jackd takes a minute to end by itself.
            await server.kill()
            throw error
        }
    }

    private static func check(_ daemon: DaemonProcess, playing play: () async throws -> Void) async throws {
        try RandomKits.write(to: daemon.directory.appending(path: "data"))
        try await daemon.start()
        var failure: (any Error)?
        do {
            try await play()
        } catch {
            failure = error
        }
        let status = await daemon.end(with: SIGTERM)
        guard failure == nil, status == 0 else {
            say(await daemon.log)
            throw CheckFailure.daemon(status: status, failure)
        }
    }
}

/// Why the check failed.
enum CheckFailure: Error, CustomStringConvertible {
    /// How the daemon ended, and what went wrong before.
    case daemon(status: Int32, (any Error)?)
    /// Something that was played was not recognised, or not heard.
    case missing(String)

    var description: String {
        switch self {
        case .daemon(let status, let failure):
            "pixelboopd ended with \(status < 0 ? "signal" : "status") \(abs(status))"
                + (failure.map { ": \($0)" } ?? "")
        case .missing(let what): "missing: \(what)"
        }
    }
}

/// Prints a line at once, so that a violation appears after the name of its part.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
