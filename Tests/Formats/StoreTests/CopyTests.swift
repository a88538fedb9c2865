import Foundation
import Music
import Synchronization
import TestNeeds
import TestSupport
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(1))) struct CopyTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path }
    /// 2026-11-28 15:30:00 UTC.
    private static let start = 1_795_879_800

    init() throws { directory = try TemporaryDirectory() }

    private func copies(at seconds: Int) -> SessionCopies { SessionCopies(path: path) { seconds } }

    private func names() throws -> [String] { try files(in: path, "session-copy-") }

    @Test func `a copy is made after a session was read, and is a database of its own`() async throws {
        let first = try OpenStore(path) { $0.now = { Self.start } }
        var document = first.document
        first.apply([.setName("A")], to: &document)
        #expect(await first.close())
        #expect(try names() == [])
        let second = try OpenStore(path) { $0.now = { Self.start } }
        try await waitUntil { try names() == ["session-copy-20261128-153000.db"] }
        let replay = try stored(in: path, names()[0])
        #expect(isSame(replay.document, document))
        #expect(replay.damages.isEmpty)
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.file(names()[0]))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(await second.close())
    }

    @Test func `the newest two are kept, and at most one is made an hour`() throws {
        for hour in 0..<4 {
            #expect(copies(at: Self.start + hour * 3600).isDue)
            try copies(at: Self.start + hour * 3600).make(of: Document(), number: Int64(hour))
            #expect(!copies(at: Self.start + hour * 3600 + 3599).isDue)
        }
        #expect(try names() == ["session-copy-20261128-173000.db", "session-copy-20261128-183000.db"])
        // A clock that was set back.
        #expect(copies(at: Self.start - 3600).isDue)
    }

    @Test(.needs(.smallDisk)) func `none is made while less than 64 MiB are free`() throws {
        let disk = try SmallDisk(size: 63 << 20)
        #expect(!SessionCopies(path: disk.path) { Self.start }.isDue)
        let large = try SmallDisk(size: 65 << 20)
        #expect(SessionCopies(path: large.path) { Self.start }.isDue)
    }

    @Test func `a session without a whole snapshot is replaced by the newest readable copy`() async throws {
        var document = Document()
        for (hour, name) in ["A", "B"].enumerated() {
            document.apply(.setName(name))
            try copies(at: Self.start + hour * 3600).make(of: document, number: 1)
        }
        try directory.write("damaged", to: "session.db")
        let store = try OpenStore(path)
        #expect(store.document.pattern.name == "B")
        #expect(store.opened.report.source == .copy("session-copy-20261128-163000.db"))
        #expect(await store.close())

        try directory.write("damaged", to: "session.db")
        try directory.write("damaged", to: "session-copy-20261128-163000.db")
        let next = try OpenStore(path)
        #expect(next.document.pattern.name == "A")
        #expect(await next.close())
    }

    @Test func `going back to a copy is giving it the session's name`() async throws {
        var document = Document()
        document.apply(.setName("A"))
        try copies(at: Self.start).make(of: document, number: 7)
        #expect(rename(directory.file("session-copy-20261128-153000.db"), directory.file("session.db")) == 0)
        let store = try OpenStore(path)
        #expect(isSame(store.document, document))
        #expect(store.opened.report.damages.isEmpty)
        store.apply([.setName("B")], to: &document)
        #expect(await store.close())
        #expect(isSame(try stored(in: path).document, document))
    }
}
