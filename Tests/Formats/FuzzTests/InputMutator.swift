import Foundation
import FuzzTargets
import TestSupport

/// Makes inputs for a target from those in its corpus, as libFuzzer does, but without looking at what they reach: the same
/// inputs for the same seed. (scripts/fuzz is guided by coverage.)
struct InputMutator {
    /// The longest input that it makes, in bytes, as in scripts/fuzz.
    private static let longest = 4096

    /// The inputs of the corpus, in the order of their names.
    let seeds: [[UInt8]]
    /// Words of the input's language.
    private let words: [[UInt8]]
    private var random: SeededGenerator

    init(_ input: FuzzInput, seed: UInt64) throws {
        let corpus = URL(filePath: RepositoryFile("Tests/Programs/Fuzz/Corpus").path)
        let files = try FileManager.default.contentsOfDirectory(
            at: corpus.appending(path: input.rawValue), includingPropertiesForKeys: nil)
        seeds = try files.sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
        let dictionary = corpus.appending(path: "\(input.rawValue).dictionary")
        words = Self.words(in: try? String(contentsOf: dictionary, encoding: .utf8))
        random = SeededGenerator(seed: seed)
    }

    /// The words of a dictionary of libFuzzer: one a line, in quotes, with `\"`, `\\` and `\xAB`.
    private static func words(in dictionary: String?) -> [[UInt8]] {
        (dictionary ?? "").split(separator: "\n").compactMap { line in
            guard !line.hasPrefix("#"), let start = line.firstIndex(of: "\""), line.hasSuffix("\"") else { return nil }
            let parts = line[line.index(after: start)..<line.index(before: line.endIndex)].split(
                separator: "\\x", omittingEmptySubsequences: false)
            var word = plain(parts[0])
            for part in parts.dropFirst() {
                word.append(UInt8(part.prefix(2), radix: 16) ?? 0)
                word += plain(part.dropFirst(2))
            }
            return word
        }
    }

    private static func plain(_ text: Substring) -> [UInt8] {
        Array(text.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\").utf8)
    }

    /// The next input: one of the corpus with up to eight changes.
    mutating func next() -> [UInt8] {
        var bytes = seeds.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...8, using: &random) { change(&bytes) }
        return Array(bytes.prefix(Self.longest))
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(place + Int.random(in: 1...32, using: &random), bytes.count)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 1: if place < bytes.count { bytes[place] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random)! }
        case 2: bytes.insert(.random(in: 0...255, using: &random), at: place)
        case 3: bytes.removeSubrange(place..<end)
        case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 5: bytes.replaceSubrange(place..<end, with: words.randomElement(using: &random) ?? [0])
        default: bytes.replaceSubrange(place..., with: (seeds.randomElement(using: &random) ?? []).suffix(bytes.count))
        }
    }
}
