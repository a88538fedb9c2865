/// Finds the first line of each key in a TOML text, which the TOML parser does not report.
struct KeyLines {
    private var lines: [String: Int] = [:]

    init(_ text: String) {
        var openString: String?
        // A CR LF is one Character.
        let texts = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in texts.enumerated() {
            if let key = Self.key(of: line), openString == nil, lines[key] == nil { lines[key] = index + 1 }
            openString = Self.openString(after: line, openString)
        }
    }

    /// The line, from 1, of a top-level key, or of the first table or value under it.
    subscript(key: String) -> Int? { lines[key] }

    /// The first part of the key or table name that a line begins with.
    private static func key(of line: Substring) -> String? {
        var rest = line.drop { $0 == " " || $0 == "\t" || $0 == "[" }
        guard let first = rest.first, first != "#" else { return nil }
        if first == "\"" || first == "'" {
            rest = rest.dropFirst()
            return String(rest.prefix { $0 != first })
        }
        let key = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        return key.isEmpty ? nil : String(key)
    }

    /// The quotes of a string that continues on the next line, nil if there is none.
    private static func openString(after line: Substring, _ openString: String?) -> String? {
        ["\"\"\"", "'''"].reduce(openString) { open, quotes in
            guard open == nil || open == quotes else { return open }
            let isOdd = line.ranges(of: quotes).count % 2 == 1
            return isOdd ? (open == nil ? quotes : nil) : open
        }
    }
}
