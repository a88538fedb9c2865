/// Lines of the control socket's protocol.
public enum ProtocolLines {
    /// Valid lines for all methods, none of which names a file.
    public static let all =
        examples + [
            #"{"jsonrpc":"2.0","method":"touch","params":{"touch":1,"phase":"down","x":4.5,"y":4.5},"id":1}"#,
            #"{"jsonrpc":"2.0","method":"touch","params":{"touch":1,"phase":"move","x":14.5,"y":4.5}}"#,
            #"{"jsonrpc":"2.0","method":"touch","params":{"touch":1,"phase":"up","x":24.5,"y":9.5},"id":2}"#,
            #"{"jsonrpc":"2.0","method":"touch","params":{"touch":2,"phase":"down","x":0.5,"y":0.5},"id":1}"#,
            #"{"jsonrpc":"2.0","method":"note.set","params":{"track":"melody","step":3,"note":4,"velocity":"accent"},"id":3}"#,
            #"{"jsonrpc":"2.0","method":"pattern.set","params":{"pattern":{"bpm":99,"tracks":{"bass":{"notes":[{"col":4,"pitch":36,"velocity":"normal"}]}}}},"id":4}"#,
            #"{"jsonrpc":"2.0","method":"track.set","params":{"track":"bass","gain":-3,"pan":0.5,"mute":true},"id":5}"#,
            #"{"jsonrpc":"2.0","method":"subscribe","params":{"topics":["frame","state","tooltip"],"maxFps":30},"id":6}"#,
            #"[{"jsonrpc":"2.0","method":"length.set","params":{"length":8},"id":8},{"jsonrpc":"2.0","method":"state.get","id":9}]"#,
            #"{"jsonrpc":"2.0","method":"export.midi","params":{"loops":2},"id":11}"#,
            #"{"jsonrpc":"2.0","method":"export.wav","params":{"rate":8000},"id":12}"#,
            #"{"jsonrpc":"2.0","method":"take.render","params":{"take":1,"stems":true,"from":1,"to":2.5},"id":13}"#,
            #"{"jsonrpc":"2.0","method":"take.midi","params":{"take":1},"id":14}"#,
        ]

    /// The calls in the examples of docs/reference.md, which has every method.
    private static let examples: [String] = {
        guard let page = try? RepositoryFile("docs/reference.md").content else { return [] }
        return String(decoding: page, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("    > {") && !$0.contains(#""path":"#) }.map { String($0.dropFirst(6)) }
    }()
}

/// Lines as careless and malicious programs send them, from valid to random; the same for the same seed.
public struct HostileLines: Sendable {
    private var random: SeededGenerator
    private let limit: Int

    /// Lines that the daemon must withstand.
    ///
    /// - Parameter limit: The longest allowed line, in bytes; one line in five thousand is longer.
    public init(seed: UInt64, limit: Int) {
        random = SeededGenerator(seed: seed)
        self.limit = limit
    }

    /// The next line, without newline.
    public mutating func next() -> [UInt8] {
        let line =
            switch Int.random(in: 0..<5000, using: &random) {
            case 0: long(limit + 1 + Int.random(in: 0...limit, using: &random))
            case 1...5: long(limit - Int.random(in: 0...2, using: &random))
            case 6..<200: nested()
            case 200..<500: batch()
            case 500..<800: noise()
            case 800..<1300: truncated()
            case 1300..<2300: mistyped()
            default: LineMutator.mutate(valid(), using: &random)
            }
        return line.filter { $0 != UInt8(ascii: "\n") }
    }

    private mutating func valid() -> String { ProtocolLines.all.randomElement(using: &random)! }

    private mutating func truncated() -> [UInt8] {
        let line = Array(valid().utf8)
        return Array(line.prefix(Int.random(in: 0..<line.count, using: &random)))
    }

    /// A line in which one value is of another type, or a number far beyond its range.
    private mutating func mistyped() -> [UInt8] {
        let line = Array(valid().utf8)
        let values = line.indices.filter { line[$0] == UInt8(ascii: ":") }
        let start = values.randomElement(using: &random)! + 1
        let end = line[start...].firstIndex { [UInt8(ascii: ","), UInt8(ascii: "}")].contains($0) } ?? line.endIndex
        let others = [
            "null", "true", "-1", "4.5", "1e400", "-1e308", "99999999999999999999", "\"\"", "\"\u{1F3B9}\"", "[]", "{}",
            "[[1]]", "{\"a\":null}", String(repeating: "9", count: 400),
        ]
        return line[..<start] + Array(others.randomElement(using: &random)!.utf8) + line[end...]
    }

    private mutating func batch() -> [UInt8] {
        let lines = (0..<Int.random(in: 0...30, using: &random)).map { _ in
            Bool.random(using: &random) ? Array(valid().utf8) : LineMutator.mutate(valid(), using: &random)
        }
        return [UInt8(ascii: "[")] + lines.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    private mutating func nested() -> [UInt8] {
        let depth = Int.random(in: 1...2000, using: &random)
        let (opening, closing) = Bool.random(using: &random) ? ("[", "]") : ("{\"a\":", "}")
        let isClosed = Bool.random(using: &random)
        return Array(
            (String(repeating: opening, count: depth) + "0"
                + (isClosed ? String(repeating: closing, count: depth) : ""))
                .utf8)
    }

    private mutating func noise() -> [UInt8] {
        (0..<Int.random(in: 0...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// A call whose client name fills the line to the given number of bytes.
    private mutating func long(_ count: Int) -> [UInt8] {
        let (head, tail) = (#"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"client":""#, #""}}"#)
        let filling = [UInt8](repeating: UInt8(ascii: "x"), count: count - head.utf8.count - tail.utf8.count)
        return Array(head.utf8) + filling + Array(tail.utf8)
    }
}
