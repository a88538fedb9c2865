import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Configuration

struct GatewayNoticeTests {
    private let directory: TemporaryDirectory
    private var environment: [String: String] { ["RUNTIME_DIRECTORY": directory.path] }
    private let gateway = RunningGateway(
        addresses: [ListenAddress(address: "127.0.0.1", port: 8044)], hosts: ["studio.local"], isEncrypted: true,
        demandsToken: true, tokenFile: "/t")

    init() throws { directory = try TemporaryDirectory() }

    private var running: [RunningGateway] { RunningGateway.all(environment: environment, system: "/nowhere") }

    @Test func `a gateway is found while it announces itself`() throws {
        let notice = try GatewayNotice(of: gateway, environment: environment)
        #expect(running == [gateway])
        #expect(try directory.names == ["\(getpid()).gateway"])
        withExtendedLifetime(notice) {}
    }

    @Test func `nothing of it stays behind`() throws {
        do { _ = try GatewayNotice(of: gateway, environment: environment) }
        #expect(try directory.names.isEmpty)
    }

    /// A file that is named before it is locked counts as left behind by a crash.
    @Test func `whoever sees the file sees a gateway that runs`() async throws {
        let (directory, end) = (directory, Ended())
        async let unlocked = Task.detached { try directory.unlocked(until: end) }.value
        for _ in 0..<2000 { _ = try GatewayNotice(of: gateway, environment: environment) }
        end.isReached.store(true, ordering: .relaxed)
        #expect(try await unlocked == 0)
    }

    @Test func `why there is no announcement is said`() throws {
        #expect(throws: GatewayNotice.Failure(description: "neither RUNTIME_DIRECTORY nor XDG_RUNTIME_DIR is set")) {
            try GatewayNotice(of: gateway, environment: [:])
        }
        let path = "/dev/null/\(getpid()).gateway.new"
        #expect(throws: GatewayNotice.Failure(description: "cannot create \(path): Not a directory")) {
            try GatewayNotice(of: gateway, environment: ["RUNTIME_DIRECTORY": "/dev/null"])
        }
    }
}

private final class Ended: Sendable {
    let isReached = Atomic(false)
}

extension TemporaryDirectory {
    /// How often a file of a gateway was seen that is not locked, and has not been removed meanwhile.
    fileprivate func unlocked(until end: Ended) throws -> Int {
        var count = 0
        while !end.isReached.load(ordering: .relaxed) {
            for name in try names where name.hasSuffix(".gateway") {
                let descriptor = open(file(name), O_RDONLY | O_CLOEXEC)
                guard descriptor >= 0 else { continue }
                defer { close(descriptor) }
                var status = stat()
                if flock(descriptor, LOCK_SH | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 {
                    count += 1
                }
            }
        }
        return count
    }
}
