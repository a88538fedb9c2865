import TOMLKit

/// A configuration file: its keys with their values and line numbers.
struct ConfigurationFile {
    struct Entry {
        var name: String
        var value: UntypedValue
        var line: Int?
    }

    /// In bytes; a larger file is not a configuration of ours.
    static let sizeLimit = 1 << 20

    let path: String
    private(set) var entries: [Entry] = []

    init(_ path: String, content: [UInt8]) throws(ConfigurationError) {
        self.path = path
        guard content.count <= Self.sizeLimit else {
            throw Self.error(path, line: nil, "is longer than \(Self.sizeLimit) bytes")
        }
        guard let text = String(validating: content, as: UTF8.self) else {
            throw Self.error(path, line: Self.lineOfBadText(content), "is not UTF-8")
        }
        // The parser would take a zero for the end of the file.
        if let zero = content.firstIndex(of: 0) {
            throw Self.error(path, line: content[..<zero].count { $0 == UInt8(ascii: "\n") } + 1, "has a zero byte")
        }
        if let trap = TOMLPrecheck(in: text).first { throw Self.error(path, line: trap.line, trap.problem) }
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
            Entry(name: name, value: table[name].map { UntypedValue($0) } ?? .other, line: lines[name])
        }
    }

    static func error(_ path: String, line: Int?, _ message: String) -> ConfigurationError {
        ConfigurationError(problems: [.init(origin: .file(path, line: line), message: message)])
    }

    private static func lineOfBadText(_ content: [UInt8]) -> Int? {
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
    }
}

extension UntypedValue {
    fileprivate init(_ value: any TOMLValueConvertible) {
        if let text = value.string {
            self = .string(text)
        } else if let boolean = value.bool {
            self = .boolean(boolean)
        } else if let integer = value.int {
            self = .integer(integer)
        } else if let number = value.double, number.isFinite {
            self = .number(number)
        } else if let words = value.array?.map(\.string), words.allSatisfy({ $0 != nil }) {
            self = .list(words.compactMap(\.self))
        } else {
            self = .other
        }
    }
}
