import Glibc
import SystemSupport

/// Where the token is kept, for its owner's eyes only.
public struct TokenFile: Sendable {
    /// Why the token cannot be read or written.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// Others may read or change it.
        case exposed(path: String)
        /// It contains something else.
        case notAToken(path: String)
        /// It could be guessed.
        case tooShort(path: String, count: Int)
        /// It cannot be written.
        case file(FileError)
        case system(path: String, action: String, code: CInt)

        /// The reason, and what would help.
        public var description: String {
            switch self {
            case .exposed(let path):
                "\(path): others may read or change the token; `chmod 600` it, or make another with --new-token"
            case .notAToken(let path):
                """
                \(path): this is not a token (\(Token.shortest) to \(Token.longest) characters of A-Z a-z 0-9 - _); make one \
                with --new-token
                """
            case .tooShort(let path, let count):
                """
                \(path): a token of \(count) characters could be guessed; it needs at least \(Token.shortest) of A-Z a-z 0-9 - \
                _, all random; make one with --new-token
                """
            case .file(let error): error.description
            case .system(let path, let action, let code):
                "\(path): cannot \(action): \(String(cString: strerror(code)))"
            }
        }

        /// Whether it is another user's token.
        public var isDenied: Bool {
            switch self {
            case .exposed, .system(_, _, EACCES): true
            case .file(let error): error.code == EACCES
            case .notAToken, .tooShort, .system: false
            }
        }
    }

    public let path: String

    /// The file need not exist.
    public init(path: String) {
        self.path = path
    }

    /// The token; nil when there is no file.
    public func read() throws(Failure) -> Token? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("read it")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read it") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAToken(path: path) }
        guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() || geteuid() == 0 else {
            throw .exposed(path: path)
        }
        var bytes = [UInt8](repeating: 0, count: 2 * Token.longest)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure("read it") }
        let text = String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        if let token = Token(text) { return token }
        guard !text.isEmpty, text.utf8.count < Token.shortest, Token.isWritable(text) else {
            throw .notAToken(path: path)
        }
        throw .tooShort(path: path, count: text.utf8.count)
    }

    /// The token; a new one when there is no file.
    public func readOrMake() throws(Failure) -> Token {
        if let token = try read() { return token }
        return try replace()
    }

    /// Replaces the token with a new one.
    @discardableResult
    public func replace() throws(Failure) -> Token {
        let token = Token()
        do throws(FileError) {
            try makeDirectories(directory(of: path))
            try AtomicFile.write(Array("\(token.text)\n".utf8), to: path, mode: 0o600)
        } catch {
            throw .file(error)
        }
        return token
    }

    private func failure(_ action: String) -> Failure { .system(path: path, action: action, code: errno) }
}
