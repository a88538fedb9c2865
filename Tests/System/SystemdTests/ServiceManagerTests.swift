import Foundation
import SystemSupport
import Testing

@testable import Systemd

/// The other end of `NOTIFY_SOCKET`.
private final class NotifySocket {
    let descriptor: Int32
    private let path: String?

    init(_ name: String) throws {
        path = name.hasPrefix("/") ? name : nil
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let address = try #require(UnixAddress(name))
        try #require(address.withPointer { bind(descriptor, $0, $1) } == 0)
    }

    deinit {
        close(descriptor)
        if let path { unlink(path) }
    }

    func receive() -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }
}

struct ServiceManagerTests {
    private static let unique = UUID().uuidString

    @Test(arguments: ["@pixelboop-test-\(unique)", "\(NSTemporaryDirectory())/\(unique)"])
    func `notices arrive at a socket with a path and at one with an abstract name`(name: String) throws {
        let socket = try NotifySocket(name)
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": name]))
        #expect(manager.notify(.ready, .status("up\nand running")))
        #expect(socket.receive() == "READY=1\nSTATUS=up and running")
        #expect(manager.notify(.reloading(monotonicMicroseconds: 5)))
        #expect(socket.receive() == "RELOADING=1\nMONOTONIC_USEC=5")
        #expect(manager.notify(.stopping))
        #expect(socket.receive() == "STOPPING=1")
        #expect(manager.notify(.watchdog))
        #expect(socket.receive() == "WATCHDOG=1")
    }

    @Test func `a reload carries the monotonic time in microseconds`() throws {
        guard case .reloading(let time) = ServiceNotice.reloadingNow else { throw POSIXError(.EINVAL) }
        let uptime = DispatchTime.now().uptimeNanoseconds / 1000
        #expect(time <= uptime)
        #expect(time > uptime - 60_000_000)
    }

    @Test(arguments: [nil, "", "vsock:2:1234", "relative", "@", "/" + String(repeating: "x", count: 108)])
    func `without a usable address there is no manager`(name: String?) {
        #expect(ServiceManager(environment: name.map { ["NOTIFY_SOCKET": $0] } ?? [:]) == nil)
    }

    @Test func `a manager that does not listen, or is busy, is not waited for`() throws {
        let name = "@pixelboop-busy-\(Self.unique)"
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": name]))
        #expect(!manager.notify(.ready))
        let socket = try NotifySocket(name)
        var sent = 0
        while manager.notify(.watchdog) { sent += 1 }
        #expect(sent > 0)
        #expect(socket.receive() == "WATCHDOG=1")
        #expect(manager.notify(.watchdog))
    }
}

struct WatchdogTests {
    @Test func `its interval is half of the manager's timeout`() {
        #expect(Watchdog(environment: ["WATCHDOG_USEC": "20000000"])?.interval == .seconds(10))
        let meant = ["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "77"]
        #expect(Watchdog(environment: meant, processID: 77)?.interval == .milliseconds(1500))
        #expect(Watchdog(environment: meant, processID: 78) == nil)
        for text in ["", "0", "-1", "x"] { #expect(Watchdog(environment: ["WATCHDOG_USEC": text]) == nil) }
        #expect(Watchdog(environment: [:]) == nil)
    }

    @Test func `it is fed while the audio callback moves, or there is no server, but not while it hangs`() {
        var watchdog = Watchdog(environment: ["WATCHDOG_USEC": "1"])!
        let looks: [(Watchdog.Audio, Bool)] = [
            (.silent, true), (.silent, true), (.running(cycle: 10), true), (.running(cycle: 20), true),
            (.running(cycle: 20), false), (.running(cycle: 20), false), (.running(cycle: 21), true), (.silent, true),
            (.running(cycle: 21), true), (.running(cycle: 0), true),
        ]
        for (audio, isFed) in looks {
            let decision = watchdog.shouldFeed(audio)
            #expect(decision == isFed, "\(audio)")
        }
    }

    @Test func `it is not fed while only a restart can bring sound back, and fed again if that proves wrong`() {
        var watchdog = Watchdog(environment: ["WATCHDOG_USEC": "1"])!
        let looks: [(Watchdog.Audio, Bool)] = [
            (.running(cycle: 10), true), (.silent, true), (.stuck, false), (.stuck, false), (.running(cycle: 10), true),
        ]
        for (audio, isFed) in looks {
            let decision = watchdog.shouldFeed(audio)
            #expect(decision == isFed, "\(audio)")
        }
    }
}
