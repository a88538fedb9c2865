import FoundationEssentials
import Glibc

/// A running gateway as it announces itself on its machine: its addresses, and who may connect.
///
/// Each gateway keeps this in a file in its runtime directory and locks the file while it runs; a file without a lock
/// was left behind by a crash.
public struct RunningGateway: Equatable, Sendable {
    public var addresses: [ListenAddress]
    /// Names that it is known by.
    public var hosts: [String]
    /// Whether it serves HTTPS.
    public var isEncrypted: Bool
    /// Whether browsers on its machine need the token too.
    public var demandsToken: Bool
    public var tokenFile: String
    /// The user and the group that run it.
    public private(set) var (user, group) = (geteuid(), getegid())

    public init(
        addresses: [ListenAddress], hosts: [String], isEncrypted: Bool, demandsToken: Bool, tokenFile: String
    ) {
        self.addresses = addresses
        self.hosts = hosts
        self.isEncrypted = isEncrypted
        self.demandsToken = demandsToken
        self.tokenFile = tokenFile
    }

    /// Where the system's gateway keeps its file.
    public static let systemDirectory = "/run/\(WebTable.program)"

    /// The directory of a gateway's file; nil if the environment does not define it.
    public static func directory(_ environment: [String: String]) -> String? {
        if let unit = environment["RUNTIME_DIRECTORY"], unit.hasPrefix("/") { return unit }
        return environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? "\($0)/\(WebTable.program)" : nil }
    }

    /// The running gateways: first the user's, then the system's.
    public static func all(
        environment: [String: String] = ProcessInfo.processInfo.environment, system: String = systemDirectory
    ) -> [RunningGateway] {
        [directory(environment), system].compactMap(\.self).flatMap(inDirectory)
    }

    private static func inDirectory(_ directory: String) -> [RunningGateway] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.sorted().compactMap { read("\(directory)/\($0)") }
    }

    /// The gateway that a file announces; nil if it no longer runs.
    private static func read(_ path: String) -> RunningGateway? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        var gateway = RunningGateway(String(decoding: bytes[..<max(count, 0)], as: UTF8.self))
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        (gateway.user, gateway.group) = (status.st_uid, status.st_gid)
        return gateway
    }

    fileprivate static let suffix = ".gateway"
}

extension RunningGateway {
    /// A line for each fact, a word and its value: `listen 127.0.0.1:8044`, `host studio.local`, `https`, `token`, `token-file
    /// /...`.
    var text: String {
        let lines =
            addresses.map { "listen \($0.text)" } + hosts.map { "host \($0)" } + (isEncrypted ? ["https"] : [])
            + (demandsToken ? ["token"] : []) + ["token-file \(tokenFile)"]
        return lines.joined(separator: "\n") + "\n"
    }

    init(_ text: String) {
        let lines = text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        func values(_ word: String) -> [String] { lines.filter { $0.first == word }.map { $0.count > 1 ? $0[1] : "" } }
        self.init(
            addresses: values("listen").compactMap { ListenAddress($0) }, hosts: values("host").filter(WebTable.isName),
            isEncrypted: !values("https").isEmpty, demandsToken: !values("token").isEmpty,
            tokenFile: values("token-file").first ?? "")
    }
}

/// Announces a gateway for as long as this value is alive.
public final class GatewayNotice: Sendable {
    /// Why a gateway is not announced.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    private let path: String
    private let descriptor: CInt

    /// Announces a gateway. The file gets its name once it is complete and locked: whoever finds it sees a gateway that
    /// runs.
    public init(
        of gateway: RunningGateway, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Failure) {
        guard let directory = RunningGateway.directory(environment) else {
            throw Failure(description: "neither RUNTIME_DIRECTORY nor XDG_RUNTIME_DIR is set")
        }
        mkdir(directory, 0o700)
        path = "\(directory)/\(getpid())\(RunningGateway.suffix)"
        let unnamed = "\(path).new"
        unlink(unnamed)
        descriptor = open(unnamed, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.failure(unnamed, "create") }
        // Readable by everyone whatever the umask: it does not contain the token.
        fchmod(descriptor, 0o644)
        let bytes = Array(gateway.text.utf8)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, write(descriptor, bytes, bytes.count) == bytes.count,
            rename(unnamed, path) == 0
        else {
            let failure = Self.failure(unnamed, "write")
            unlink(unnamed)
            close(descriptor)
            throw failure
        }
    }

    private static func failure(_ path: String, _ action: String) -> Failure {
        Failure(description: "cannot \(action) \(path): \(String(cString: strerror(errno)))")
    }

    deinit {
        unlink(path)
        close(descriptor)
    }
}
