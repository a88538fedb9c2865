import JSON
import Music
import TestSupport
import Testing

@testable import Journal

struct JournalCodingTests {
    private func read(_ change: DocumentChange) throws -> ReadChange {
        try ReadChange(JSONValue(parsing: JSONValue.object(change.stored).bytes))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `every change and document is read back as written`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let performance = Performance(batches: 150, using: &generator)
        for change in performance.batches.joined() { #expect(try read(change) == .known(change)) }
        let document = performance.documents.last!
        var unknownNames: [String] = []
        let copy = try Document(
            stored: #require(JSONValue(parsing: JSONValue.object(document.stored).bytes).objectValue),
            unknownInHistory: &unknownNames)
        #expect(unknownNames == [])
        #expect(copy == document)
        #expect(copy.history.dropped == document.history.dropped)
    }

    @Test func `random performances have changes of every kind`() {
        var generator = SeededGenerator(seed: 0)
        let performance = Performance(batches: 300, using: &generator)
        let missing = Set(DocumentChange.Kind.allCases).subtracting(performance.batches.joined().map(\.kind))
        #expect(missing.isEmpty)
    }

    @Test func `checksums are CRC-32C as in RFC 3720`() {
        #expect(CRC32C.checksum(repeatElement(0, count: 32)) == 0x8a91_36aa)
        #expect(CRC32C.checksum(repeatElement(0xff, count: 32)) == 0x62a8_ab43)
        #expect(CRC32C.checksum(0...31 as ClosedRange<UInt8>) == 0x46dd_794e)
        #expect(CRC32C.checksum(Array("123456789".utf8)) == 0xe306_9283)
    }

    @Test(arguments: [
        #"[]"#, #"{}"#, #"{"undo": 1}"#, #"{"edit": {}}"#, #"{"edit": {"cells": {"melody": "A"}}}"#,
        #"{"edit": {"cells": {"melody": "AQAAAA=="}}}"#, #"{"edit": {"cells": {"bass": 7}}}"#, #"{"setName": {}}"#,
        #"{"setName": {"name": null}}"#, #"{"editSlots": {"slots": {"bass": {"1": "AQAAAAQAAA==", "2": ""}}}}"#,
    ])
    func `a nonsensical change is malformed`(text: String) throws {
        let value = try JSONValue(parsing: text.utf8)
        #expect(throws: MalformedData.self) { try ReadChange(value) }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a change with a wrong byte is refused, or its values stay in range`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let performance = Performance(batches: 20, using: &generator)
        var document = Document()
        for change in performance.batches.joined() {
            var bytes = JSONValue.object(change.stored).bytes
            bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0x20...0x7f, using: &generator)
            guard let value = try? JSONValue(parsing: bytes) else { continue }
            if case .known(let change, _) = try? ReadChange(value) { document.apply(change) }
        }
        for track in Track.allCases { #expect(abs(document.number(.gain, track)) <= 60) }
    }
}
