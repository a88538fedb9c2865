/// A value as it was written, before it is checked.
public enum UntypedValue: Equatable, Sendable {
    /// A string in the file, where relative paths are not allowed.
    case string(String)
    case integer(Int)
    case boolean(Bool)
    /// A number with a fraction.
    case number(Double)
    case list([String])
    /// A kind of value that no setting accepts: a table, a nested list, a date...
    case other
    /// A word from the environment or the command line, which may stand for a number as well.
    case word(String, directory: String)

    /// Several words: a list, or a comma-separated string.
    public var words: [String]? {
        switch self {
        case .list(let words): words
        default: text?.split(separator: ",").map { String($0.trimmed) }
        }
    }

    /// A string or a word that is not empty.
    public var text: String? {
        switch self {
        case .string(let text), .word(let text, _): text.isEmpty ? nil : text
        default: nil
        }
    }

    public var integer: Int? {
        switch self {
        case .integer(let value): value
        case .word(let word, _): Int(word)
        default: nil
        }
    }

    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .word(let word, _): Double(word).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    public var boolean: Bool? {
        switch self {
        case .boolean(let value): value
        case .word("true", _): true
        case .word("false", _): false
        default: nil
        }
    }

    /// An absolute path. A word may be relative to its directory. `~` is expanded only in the file: on the command line
    /// the shell does that.
    public func path(home: String?) -> String? {
        guard let text else { return nil }
        if text.hasPrefix("/") { return text }
        switch self {
        case .word(_, let directory): return "\(directory)/\(text)"
        default: return text.hasPrefix("~/") ? home.map { $0 + text.dropFirst() } : nil
        }
    }
}

extension Substring {
    /// Without leading and trailing spaces.
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " }
        return start.prefix(start.count - start.reversed().prefix { $0 == " " }.count)
    }
}
