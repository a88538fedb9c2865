import Foundation
import Logging
import Testing

@testable import Systemd

/// A pipe that log messages are written to.
private final class LogPipe {
    private let pipe = Pipe()

    var descriptor: Int32 { pipe.fileHandleForWriting.fileDescriptor }

    /// Everything written, once the writer has no more.
    func text(of writer: LogWriter) throws -> String {
        writer.flush(within: .seconds(20))
        try pipe.fileHandleForWriting.close()
        return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// Reads to the end, on a thread of its own.
    func drain(into done: @escaping @Sendable (String) -> Void) {
        let handle = pipe.fileHandleForReading
        Thread { done(String(decoding: (try? handle.readToEnd()) ?? Data(), as: UTF8.self)) }.start()
    }

    func close() throws { try pipe.fileHandleForWriting.close() }
}

@Suite(.timeLimit(.minutes(1))) struct LogTests {
    private func logger(_ writer: LogWriter) -> Logger { Logger(label: "test") { _ in ServiceLogHandler(writer) } }

    @Test(arguments: zip(Logger.Level.allCases, [7, 7, 6, 5, 4, 3, 2]))
    func `under journald every line begins with its priority`(level: Logger.Level, priority: Int) throws {
        let pipe = LogPipe()
        let writer = LogWriter(descriptor: pipe.descriptor, style: .journal, level: .trace)
        logger(writer).log(level: level, "first\nsecond")
        #expect(try pipe.text(of: writer) == "<\(priority)>first\n<\(priority)>second\n")
    }

    @Test func `what ends a program is an error for journald, and the bare words for people`() {
        #expect(LogStyle.journal.farewell("daemon: a\nb") == "<3>daemon: a\n<3>b\n")
        #expect(LogStyle.plain.farewell("daemon: a\nb") == "daemon: a\nb\n")
    }

    @Test func `on a terminal lines have time and level, and metadata follows the message`() throws {
        let pipe = LogPipe()
        let writer = LogWriter(descriptor: pipe.descriptor, style: .plain, level: .trace)
        var logger = logger(writer)
        logger[metadataKey: "rate"] = "48000"
        logger.warning("an xrun\ntwo of them", metadata: ["count": "2"])
        let expected = #/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} warning  an xrun\n {33}two of them count=2 rate=48000\n/#
        #expect(try pipe.text(of: writer).wholeMatch(of: expected) != nil)
    }

    @Test func `an error is written with its message`() throws {
        let pipe = LogPipe()
        let writer = LogWriter(descriptor: pipe.descriptor, style: .journal, level: .trace)
        logger(writer).error("cannot save", error: CocoaError(.fileNoSuchFile))
        #expect(try pipe.text(of: writer).hasPrefix("<3>cannot save: "))
    }

    @Test func `messages below the level are not written, and the level may change`() throws {
        let pipe = LogPipe()
        let writer = LogWriter(descriptor: pipe.descriptor, style: .journal, level: .notice)
        let logger = logger(writer)
        logger.info("no")
        logger.notice("yes")
        writer.level = .info
        logger.info("now")
        #expect(try pipe.text(of: writer) == "<5>yes\n<6>now\n")
    }

    @Test func `a stalled reader blocks nobody, and later learns how much it missed`() async throws {
        let pipe = LogPipe()
        let writer = LogWriter(descriptor: pipe.descriptor, style: .journal, level: .trace)
        let logger = logger(writer)
        let long = String(repeating: "x", count: 1000)
        for _ in 0..<2000 { logger.info("\(long)") }
        #expect(!writer.flush(within: .milliseconds(1)))
        let text = await withCheckedContinuation { continuation in
            pipe.drain { continuation.resume(returning: $0) }
            writer.flush(within: .seconds(60))
            try? pipe.close()
        }
        let lines = text.split(separator: "\n")
        let written = lines.filter { $0 == "<6>\(long)" }.count
        let dropped = lines.compactMap { $0.wholeMatch(of: #/<4>(\d+) messages were dropped/#).flatMap { Int($0.1) } }
        #expect(written >= LogWriter.capacity)
        #expect(written + dropped.reduce(0, +) == 2000)
    }

    @Test func `journald is recognised by its stream, and by nothing else`() throws {
        var status = stat()
        let pipe = LogPipe()
        try #require(fstat(pipe.descriptor, &status) == 0)
        let stream = "\(status.st_dev):\(status.st_ino)"
        #expect(LogStyle(descriptor: pipe.descriptor, environment: ["JOURNAL_STREAM": stream]) == .journal)
        #expect(LogStyle(descriptor: pipe.descriptor, environment: ["JOURNAL_STREAM": stream + "1"]) == .plain)
        #expect(LogStyle(descriptor: pipe.descriptor, environment: [:]) == .plain)
    }
}

@Suite(.timeLimit(.minutes(1))) struct SchedulingRightsTests {
    @Test func `rights are put in words, with advice where they are not enough`() {
        func words(_ priority: UInt64, _ memory: UInt64?, privileged: Bool = false) -> String {
            SchedulingRights(realTimePriority: priority, lockedMemory: memory, isPrivileged: privileged).description
        }
        let advice = ": sound may break up; pixelboop doctor says what to do"
        #expect(words(95, nil) == "real-time priority up to 95, locked memory unlimited")
        #expect(words(0, nil) == "no real-time priority, locked memory unlimited" + advice)
        #expect(words(95, 8 << 20) == "real-time priority up to 95, locked memory up to 8192 KiB" + advice)
        #expect(words(0, 0, privileged: true) == "real-time priority and locked memory unlimited (privileged)")
    }

    @Test func `the rights of this process are those of its limits`() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limit)
        #expect(
            SchedulingRights.current.realTimePriority == (limit.rlim_cur == rlim_t.max ? 99 : UInt64(limit.rlim_cur)))
    }

    @Test(arguments: [
        // Everything, a container's root, a container's root that may change priorities, anybody.
        ("000001ffffffffff", true), ("00000000a80425fb", false), ("00000000a88425fb", false),
        ("0000000000000000", false),
    ])
    func `whoever may ignore both limits is privileged, not just any root`(capabilities: String, isPrivileged: Bool) {
        let status = "Name:\tpixelboopd\nUid:\t0\t0\t0\t0\nCapPrm:\t000001ffffffffff\nCapEff:\t\(capabilities)\n"
        #expect(SchedulingRights.isPrivileged(status: status) == isPrivileged)
    }
}
