import PatternFormat

/// Why the library did not do what it was asked to.
public enum LibraryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no pattern of this name.
    case notFound(name: String)
    /// No pattern can have this name; what is wrong with it.
    case invalidName(name: String, reason: String)
    /// A pattern of this name is in the way.
    case alreadyExists(name: String)
    /// The file does not hold a pattern.
    case notAPattern(name: String, PatternError)
    /// The system refused; its reason.
    case io(reason: String)

    /// The error in words.
    public var description: String {
        switch self {
        case .notFound(let name): "no pattern named \"\(name)\""
        case .invalidName(let name, let reason): "\"\(name)\" cannot be a pattern's name: \(reason)"
        case .alreadyExists(let name): "there is already a pattern named \"\(name)\""
        case .notAPattern(let name, let error): "the file of \"\(name)\" is no pattern: \(error)"
        case .io(let reason): reason
        }
    }
}
