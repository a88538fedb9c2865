import JSON
import Music
import TestSupport
import Testing

@testable import Store

struct ContentsTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `every change and document is read back as written`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let performance = EditSequence(batches: 150, using: &generator)
        for batch in performance.batches {
            #expect(try [DocumentChange](storedBytes: batch.storedBytes) == batch)
        }
        let document = performance.documents.last!
        let copy = try Document(storedBytes: document.storedBytes)
        #expect(isSame(copy, document))
        #expect(copy.history.dropped == document.history.dropped)
    }

    @Test func `random performances have changes of every kind`() {
        var generator = SeededGenerator(seed: 0)
        let performance = EditSequence(batches: 300, using: &generator)
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
        #"{}"#, #"[[]]"#, #"[{}]"#, #"[{"undo": 1}]"#, #"[{"later": {}}]"#, #"[{"setName": {}}]"#,
        #"[{"setName": {"name": null}}]"#, #"[{"set": {"parameter": "later", "value": 1}}]"#,
        #"[{"set": {"parameter": "gain", "track": "later", "value": 1}}]"#,
        #"[{"edit": {"slots": {"bass": {"1": "A"}}}}]"#,
        #"[{"edit": {"slots": {"bass": {"1": "AQAAAAQAAA==", "2": ""}}}}]"#,
    ])
    func `nonsensical changes are malformed`(text: String) {
        #expect(throws: MalformedData.self) { try [DocumentChange](storedBytes: Array(text.utf8)) }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a change with a wrong byte is refused, or its values stay in range`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let performance = EditSequence(batches: 20, using: &generator)
        var document = Document()
        for batch in performance.batches {
            var bytes = batch.storedBytes
            bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0x20...0x7f, using: &generator)
            for change in (try? [DocumentChange](storedBytes: bytes)) ?? [] { document.apply(change) }
        }
        for track in Track.allCases { #expect(abs(document.number(.gain, track)) <= 60) }
    }
}
