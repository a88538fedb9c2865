import Glibc
import NIOCore
import TestSupport
import Testing

@testable import UnixSocket

struct ListeningSocketTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("control.sock")
    }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    private func open(_ path: String, access: SocketAccess = SocketAccess()) throws -> ListeningSocket {
        try ListeningSocket(path: path, ownsDirectory: true, access: access)
    }

    private func close(_ socket: ListeningSocket) {
        socket.removeFile()
        Glibc.close(socket.descriptor)
    }

    /// Leaves a stale socket file, as a killed daemon does.
    private func leaveStaleSocket(at path: String) throws {
        let descriptor = try makeUnixSocket()
        #expect(try withUnixAddress(path) { bind(descriptor, $0, $1) } == 0)
        Glibc.close(descriptor)
    }

    @Test func `the socket and its directory are accessible to the user only`() throws {
        let inner = directory.file("pixelboop")
        let socket = try open(inner + "/control.sock")
        #expect(mode(of: inner + "/control.sock") == 0o600)
        #expect(mode(of: inner) == 0o700)
        close(socket)
    }

    @Test func `a configured group may connect, and enter the directory`() throws {
        let socket = try open(path, access: SocketAccess(group: getegid()))
        #expect(mode(of: path) == 0o660)
        #expect(mode(of: directory.path) == 0o750)
        close(socket)
    }

    @Test func `the daemon's own directory is closed to others even if it already exists`() throws {
        chmod(directory.path, 0o755)
        close(try open(path))
        #expect(mode(of: directory.path) == 0o700)
    }

    @Test func `a shared directory is left unchanged`() throws {
        chmod(directory.path, 0o755)
        close(try ListeningSocket(path: path, ownsDirectory: false, access: SocketAccess()))
        #expect(mode(of: directory.path) == 0o755)
    }

    @Test func `a second daemon on the same socket is refused, and the first one's socket stays`() throws {
        let first = try open(path)
        let error = #expect(throws: ListenError.self) { try open(path) }
        #expect(error == .inUse(path: path))
        #expect(error?.description == "another daemon listens on \(path)")
        #expect(mode(of: path) == 0o600)
        close(first)
    }

    @Test func `a listener without a lock is respected too`() throws {
        let first = try open(path)
        unlink(path + ".lock")
        #expect(throws: ListenError.inUse(path: path)) { try open(path) }
        close(first)
    }

    @Test func `a stale socket is replaced`() throws {
        try leaveStaleSocket(at: path)
        let socket = try open(path)
        let probe = try makeUnixSocket()
        #expect(try withUnixAddress(path) { connect(probe, $0, $1) } == 0)
        Glibc.close(probe)
        close(socket)
    }

    @Test func `after the end the file is gone and the path is free`() throws {
        close(try open(path))
        #expect(mode(of: path) == nil)
        close(try open(path))
    }

    @Test func `a file that is not a socket is left alone`() throws {
        try directory.write("precious", to: "control.sock")
        #expect(throws: ListenError.notASocket(path: path)) { try open(path) }
        #expect(try directory.read("control.sock") == Array("precious".utf8))
    }

    @Test func `a socket that replaced this one is not removed`() throws {
        let socket = try open(path)
        unlink(path)
        try leaveStaleSocket(at: path)
        close(socket)
        #expect(mode(of: path) != nil)
    }

    @Test func `too long a path is refused, not truncated`() throws {
        let fitting = directory.file(String(repeating: "x", count: 107 - directory.path.utf8.count - 1))
        close(try open(fitting))
        let error = #expect(throws: ListenError.self) { try open(fitting + "x") }
        #expect(error == .pathTooLong(path: fitting + "x", limit: 107))
    }

    @Test func `the error names a directory that cannot be created`() throws {
        let error = #expect(throws: ListenError.self) { try open(directory.file("a/b/control.sock")) }
        #expect(error?.description == "cannot create the directory \(directory.file("a/b")): No such file or directory")
    }

    @Test func `a listening socket may be passed in, but nothing else`() throws {
        let socket = try open(path)
        let adopted = try ListeningSocket(adopting: socket.descriptor)
        #expect(adopted.descriptor == socket.descriptor)
        adopted.removeFile()
        #expect(mode(of: path) != nil)
        close(socket)
        let unbound = try makeUnixSocket()
        #expect(throws: ListenError.notListening(descriptor: unbound)) {
            try ListeningSocket(adopting: unbound)
        }
        Glibc.close(unbound)
        #expect(throws: ListenError.notListening(descriptor: 0)) { try ListeningSocket(adopting: 0) }
    }

    @Test func `the kernel identifies the peer`() throws {
        var pair: [CInt] = [0, 0]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let peer = try #require(PeerCredentials(socket: pair[0]))
        #expect(peer.user == geteuid())
        #expect(peer.groups.contains(getegid()))
        for descriptor in pair { Glibc.close(descriptor) }
    }
}
