import Foundation
import SystemSupport
import Testing

@testable import Systemd

struct PassedSocketTests {
    private func environment(count: String, names: String? = nil, owner: Int32 = getpid()) -> [String: String] {
        var environment = ["LISTEN_FDS": count, "LISTEN_PID": "\(owner)"]
        environment["LISTEN_FDNAMES"] = names
        return environment
    }

    @Test func `a passed socket is named, closes on exec and listens`() throws {
        let name = "@pixelboop-passed-\(UUID().uuidString)"
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let sockets = PassedSocket.all(environment: environment(count: "1", names: "control"), first: descriptor)
        let passed = try #require(sockets.first)
        #expect(sockets.count == 1)
        #expect(passed.name == "control")
        #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
        #expect(!passed.isListening)
        let address = try #require(UnixAddress(name))
        try #require(address.withPointer { bind(descriptor, $0, $1) } == 0)
        #expect(!passed.isListening)
        try #require(listen(descriptor, 1) == 0)
        #expect(passed.isListening)
    }

    @Test func `other kinds of sockets, and files, are no listening sockets`() {
        let datagram = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let file = open("/dev/null", O_RDONLY)
        for descriptor in [datagram, network, file] {
            #expect(!PassedSocket(descriptor: descriptor, name: "x").isListening)
            close(descriptor)
        }
    }

    @Test func `several sockets are distinguished by their names, as far as they have any`() {
        let sockets = PassedSocket.all(environment: environment(count: "3", names: "a:"), first: 900)
        #expect(sockets.map(\.descriptor) == [900, 901, 902])
        #expect(sockets.map(\.name) == ["a", "unknown", "unknown"])
    }

    @Test func `sockets for another process, and invalid counts, are ignored`() {
        #expect(PassedSocket.all(environment: environment(count: "1", owner: getpid() + 1)).isEmpty)
        for count in ["", "0", "-1", "x", "99999999"] {
            #expect(PassedSocket.all(environment: environment(count: count), first: 900).isEmpty)
        }
        #expect(PassedSocket.all(environment: ["LISTEN_FDS": "1"]).isEmpty)
        #expect(PassedSocket.all(environment: [:]).isEmpty)
    }
}
