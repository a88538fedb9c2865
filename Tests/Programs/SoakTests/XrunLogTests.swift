import Foundation
import TestSupport
import Testing

@testable import pixelboop_soak

/// Whose fault a late period was, according to the server.
struct XrunLogTests {
    private static let daemonRunning = "JackEngine::XRun: client = pixelboop was not finished, state = Running"
    private static let daemonTriggered = "JackEngine::XRun: client = pixelboop was not finished, state = Triggered"
    private static let daemonLate = "JackEngine::XRun: client pixelboop finished after current callback"
    private static let watchTriggered = "JackEngine::XRun: client = soak-watch was not finished, state = Triggered"
    private static let serverLate = "JackTimedDriver::Process XRun = 1523 usec"
    private static let other = "JackAudioDriver::ProcessGraphAsyncMaster: Process error"

    @Test(arguments: [
        ([daemonRunning], 1, 0, 0),
        ([daemonLate], 1, 0, 0),
        ([daemonTriggered], 0, 1, 0),
        ([watchTriggered], 0, 0, 1),
        ([daemonRunning, watchTriggered], 0, 0, 1),
        ([watchTriggered, daemonTriggered], 0, 0, 1),
        ([serverLate], 0, 0, 1),
        ([other], 0, 0, 0),
        ([daemonRunning, daemonRunning], 2, 0, 0),
        ([daemonRunning, other, watchTriggered, serverLate], 1, 0, 2),
        ([daemonTriggered, watchTriggered, daemonTriggered], 0, 1, 1),
    ])
    func `a late period may be the daemon's only when the bare client was on time`(
        lines: [String], running: Int, notWoken: Int, machine: Int
    ) {
        let counts = HeardXruns.count(lines.map { Substring($0) })
        #expect(counts == HeardXruns.Counts(running: running, notWoken: notWoken, machine: machine))
    }

    @Test func `a log is read from where it ended before, whole lines only`() throws {
        let directory = try TemporaryDirectory()
        try directory.write("\(Self.daemonRunning)\n\(Self.serverLate.prefix(12))", to: "x.log")
        var log = HeardXruns(path: directory.file("x.log"))
        #expect(log.read() == HeardXruns.Counts(running: 1))
        let handle = try #require(FileHandle(forWritingAtPath: directory.file("x.log")))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("\(Self.serverLate.dropFirst(12))\n".utf8))
        try handle.close()
        #expect(log.read() == HeardXruns.Counts(machine: 1))
        #expect(log.reports == [Self.daemonRunning, Self.serverLate])
    }
}
