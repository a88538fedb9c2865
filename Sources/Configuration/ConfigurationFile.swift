import TOMLKit

/// A configuration file: keys and their values, and where they stand.
struct ConfigurationFile {
    /// What a file says about one key.
    struct Entry {
        var name: String
        var value: RawValue
        var line: Int?
    }

    /// No file of this size was written for this program.
    static let sizeLimit = 1 << 20

    let path: String
    private(set) var entries: [Entry] = []

    /// Reads TOML.
    init(_ path: String, content: [UInt8]) throws(ConfigurationError) {
        self.path = path
        guard content.count <= Self.sizeLimit else {
            throw Self.error(path, line: nil, "is longer than \(Self.sizeLimit) bytes")
        }
        guard let text = String(validating: content, as: UTF8.self) else {
            throw Self.error(path, line: Self.lineOfBadText(content), "is not UTF-8")
        }
        // The parser would take it for the end.
        if let zero = content.firstIndex(of: 0) {
            throw Self.error(path, line: content[..<zero].count { $0 == UInt8(ascii: "\n") } + 1, "has a byte of 0")
        }
        if let line = Self.lineOfHeaderWithoutKey(text) {
            throw Self.error(path, line: line, "a key was expected after [")
        }
        do {
            entries = Self.entries(of: try TOMLTable(string: text), in: text)
        } catch let error as TOMLParseError {
            throw Self.error(path, line: error.source.begin.line, error.description)
        } catch {
            throw Self.error(path, line: nil, "\(error)")
        }
    }

    private static func entries(of table: TOMLTable, in text: String) -> [Entry] {
        let lines = KeyLines(text)
        return table.keys.sorted().map { name in
            Entry(name: name, value: table[name].map { RawValue($0) } ?? .other, line: lines[name])
        }
    }

    private static func error(_ path: String, line: Int?, _ message: String) -> ConfigurationError {
        ConfigurationError(problems: [.init(origin: .file(path, line: line), message: message)])
    }

    /// The parser takes for granted that a key follows the brackets of a table's header, and else ends the program.
    private static func lineOfHeaderWithoutKey(_ text: String) -> Int? {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.firstIndex { line in
            let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
            let header = line.drop(while: isBlank)
            guard header.first == UInt8(ascii: "[") else { return false }
            var key = header.dropFirst().drop(while: isBlank)
            if key.first == UInt8(ascii: "[") { key = key.dropFirst().drop(while: isBlank) }
            guard let first = key.first.map(Unicode.Scalar.init) else { return true }
            switch first {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "\"", "'", "]": return false
            default: return true
            }
        }.map { $0 + 1 }
    }

    private static func lineOfBadText(_ content: [UInt8]) -> Int? {
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
    }
}

extension RawValue {
    fileprivate init(_ value: any TOMLValueConvertible) {
        if let text = value.string {
            self = .string(text)
        } else if let boolean = value.bool {
            self = .boolean(boolean)
        } else if let integer = value.int {
            self = .integer(integer)
        } else {
            self = .other
        }
    }
}
