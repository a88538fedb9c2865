import Glibc

/// Where the token is kept, for its owner's eyes only.
public struct TokenFile: Sendable {
    /// Why the token cannot be had.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        /// Others may read or change it.
        case exposed(path: String)
        /// There is something else in it.
        case notAToken(path: String)
        /// The system refused.
        case system(path: String, action: String, code: CInt)

        /// The reason in words, and what would help.
        public var description: String {
            switch self {
            case .exposed(let path):
                "\(path): others may read or change the token; `chmod 600` it, or make another with --new-token"
            case .notAToken(let path):
                "\(path): this is no token, which is 32 hexadecimal digits; make one with --new-token"
            case .system(let path, let action, let code):
                "\(path): cannot \(action): \(String(cString: strerror(code)))"
            }
        }
    }

    /// Which content a file has, as far as its outside tells.
    struct Version: Equatable {
        private let inode: ino_t
        private let seconds: Int
        private let nanoseconds: Int

        fileprivate init(_ status: stat) {
            inode = status.st_ino
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    /// The path.
    public let path: String

    /// A file, which need not exist.
    public init(path: String) {
        self.path = path
    }

    /// The file's version; nil when there is none.
    var version: Version? {
        var status = stat()
        return lstat(path, &status) == 0 ? Version(status) : nil
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
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw failure("read it") }
        let text = String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard let token = Token(text) else { throw .notAToken(path: path) }
        return token
    }

    /// The token; a new one when there is no file.
    public func readOrMake() throws(Failure) -> Token {
        if let token = try read() { return token }
        return try replace()
    }

    /// Makes another token, in place of the one before.
    @discardableResult
    public func replace() throws(Failure) -> Token {
        let token = Token()
        try makeDirectory()
        let new = "\(path).new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("write it") }
        let bytes = Array("\(token.text)\n".utf8)
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isWritten, rename(new, path) == 0 else {
            let failure = Failure.system(path: path, action: "write it", code: isWritten ? errno : code)
            unlink(new)
            throw failure
        }
        return token
    }

    /// The directories above, those that are missing with nobody else's access.
    private func makeDirectory() throws(Failure) {
        var end = path.startIndex
        while let slash = path[path.index(after: end)...].firstIndex(of: "/") {
            end = slash
            let directory = String(path[..<slash])
            if mkdir(directory, 0o700) != 0, errno != EEXIST { throw failure("make the directory \(directory)") }
        }
    }

    private func failure(_ action: String) -> Failure { .system(path: path, action: action, code: errno) }
}
