import Music
import TestSupport
import Testing

@testable import Storage

struct JournalCodingTests {
    private func decoded<Value: Storable>(_ value: Value) throws -> Value {
        var writer = ByteWriter()
        value.write(to: &writer)
        var reader = ByteReader(writer.bytes[...])
        let decoded = try Value(from: &reader)
        #expect(reader.isAtEnd)
        return decoded
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `every change and document is read back as it was written`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let performance = Performance(batches: 150, using: &generator)
        for change in performance.batches.joined() { #expect(try decoded(change) == change) }
        let document = performance.documents.last!
        let copy = try decoded(document)
        #expect(copy == document)
        #expect(copy.history.dropped == document.history.dropped)
    }

    @Test func `checksums are CRC-32C as in RFC 3720`() {
        #expect(CRC32C.checksum(repeatElement(0, count: 32)) == 0x8a91_36aa)
        #expect(CRC32C.checksum(repeatElement(0xff, count: 32)) == 0x62a8_ab43)
        #expect(CRC32C.checksum(0...31 as ClosedRange<UInt8>) == 0x46dd_794e)
        #expect(CRC32C.checksum(Array("123456789".utf8)) == 0xe306_9283)
    }

    /// A changed order of cases, or a new one in between, would read old files as something else.
    @Test func `the files of version 1 stay readable`() throws {
        var cells = Cells()
        cells[.melody, 4, 0] = .accent
        cells[.rhythm, 11, 31] = .normal
        let edit: [UInt8] = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 2, 0, 0, 0, 0x40]
        let expected: [(DocumentChange, [UInt8])] = [
            (.edit(cells), edit), (.amend(cells), [2] + edit.dropFirst()),
            (.undo, [4]), (.redo, [5]), (.retract, [6]),
            (.setTempo(Tempo(bpm: 120.5)!), [7, 0x12, 0x2f]), (.setSwing(0.5), [8, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f]),
            (.setScale(.penta), [9, 2]), (.setRoot(PitchClass(9)), [10, 9]), (.setLength(16), [11, 16]),
            (.setName("é"), [12, 2, 0, 0, 0, 0xc3, 0xa9]), (.setColorMode(.harmonic), [13, 1]),
            (.setGhosts(false), [14, 0]), (.setMute(.bass, true), [15, 2, 1]),
            (.setSolo(nil), [16, 0]), (.setSolo(.rhythm), [16, 1, 3]),
            (.setGain(.chords, -6), [17, 1, 0, 0, 0, 0, 0, 0, 0x18, 0xc0]),
            (.setPan(.melody, 1), [18, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]),
        ]
        for (change, bytes) in expected {
            var reader = ByteReader(bytes[...])
            #expect(try DocumentChange(from: &reader) == change)
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `random bytes are refused or read, and never more is asked for than there is`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 0...400, using: &generator)
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...20, using: &generator) }
        var reader = ByteReader(bytes[...])
        while let change = try? DocumentChange(from: &reader) {
            var document = Document()
            document.apply(change)
        }
        var documentReader = ByteReader(bytes[...])
        _ = try? Document(from: &documentReader)
    }
}
