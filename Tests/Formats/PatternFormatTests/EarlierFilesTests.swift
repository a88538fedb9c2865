import Foundation
import JSON
import Music
import PatternFormat
import TestSupport
import Testing

/// Pattern files that were written before later members existed, kept unchanged: nobody loses their music.
@Suite struct EarlierFilesTests {
    private static let names = ["demo", "samples", "slots", "tracks"]

    private static func file(_ name: String) throws -> [UInt8] {
        try RepositoryFile("Tests/Formats/PatternFormatTests/Files/Earlier/\(name).json").content
    }

    @Test(arguments: names) func `an earlier pattern file opens without loss`(name: String) throws {
        let bytes = try Self.file(name)
        let written = PatternFormat.encode(try PatternFormat.decode(bytes))
        #expect(missing(from: written, of: try JSONValue(parsing: String(decoding: bytes, as: UTF8.self))) == [])
    }

    /// The places where a written value differs from the original or lacks it. It may have additional members, from
    /// later versions.
    private func missing(from written: JSONValue, of original: JSONValue, at place: String = "") -> [String] {
        switch (original, written) {
        case (.object(let original), .object(let written)):
            original.members.flatMap { member in
                let place = "\(place).\(member.name)"
                return written[member.name].map { missing(from: $0, of: member.value, at: place) } ?? [place]
            }
        case (.array(let original), .array(let written)) where original.count == written.count:
            zip(original, written).enumerated().flatMap { index, pair in
                missing(from: pair.1, of: pair.0, at: "\(place)[\(index)]")
            }
        default: original == written ? [] : [place]
        }
    }
}
