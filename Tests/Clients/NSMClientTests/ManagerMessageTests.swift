import OSC
import SystemSupport
import Testing

@testable import NSMClient

struct ManagerMessageTests {
    @Test(arguments: [
        (
            OSCMessage("/reply", .string("/nsm/server/announce"), .string("hi"), .string("NSM"), .string(":x:")),
            ManagerMessage.welcome(manager: "NSM")
        ),
        (
            OSCMessage("/error", .string("/nsm/server/announce"), .integer(-2), .string("too new")),
            .refusal(code: -2, reason: "too new")
        ),
        (
            OSCMessage("/nsm/client/open", .string("/s/a.nX"), .string("song"), .string("a.nX")),
            .open(Project(path: "/s/a.nX", displayName: "song", clientID: "a.nX"))
        ),
        (OSCMessage("/nsm/client/save"), .save),
        (
            OSCMessage("/nsm/client/open", .string("/s/a.nX"), .string("song"), .integer(1)),
            .malformed(path: "/nsm/client/open", expected: "a path, a name and a client's id as texts")
        ),
    ])
    func `the manager's messages are read`(message: OSCMessage, expected: ManagerMessage) {
        #expect(ManagerMessage(message) == expected)
    }

    @Test(arguments: [
        OSCMessage("/nsm/client/session_is_loaded"), OSCMessage("/nsm/client/show_optional_gui"),
        OSCMessage("/reply", .string("/nsm/server/save"), .string("saved")), OSCMessage("/reply"),
        OSCMessage("/tempomap/update", .string("0,120,4/4")),
    ])
    func `messages that need no answer are ignored`(message: OSCMessage) {
        #expect(ManagerMessage(message) == nil)
    }

    @Test(arguments: [
        ("osc.udp://localhost:15324/", ManagerAddress(host: "localhost", port: 15324)),
        ("osc.udp://studio.example:1", ManagerAddress(host: "studio.example", port: 1)),
    ])
    fileprivate func `the manager's address is read`(url: String, expected: ManagerAddress) {
        #expect(ManagerAddress(url: url) == expected)
    }

    @Test(arguments: [
        "", "localhost:15324", "osc.tcp://localhost:15324/", "osc.udp://:15324/", "osc.udp://localhost/",
        "osc.udp://localhost:0/", "osc.udp://localhost:70000/", "osc.udp://localhost:x/",
    ])
    func `invalid addresses of a manager are refused`(url: String) {
        #expect(ManagerAddress(url: url) == nil)
    }

    @Test(arguments: ["127.0.0.1", "127.0.1.1"])
    func `a manager on this machine is reached from the loopback address`(host: String) throws {
        let address = try #require(IPv4(literal: host))
        #expect(address.text == host)
        #expect(try ManagerAddress.localAddress(facing: address, port: 15324) == .loopback)
    }
}

extension ManagerAddress {
    fileprivate init(host: String, port: UInt16) {
        self.init(url: "osc.udp://\(host):\(port)/")!
    }
}
