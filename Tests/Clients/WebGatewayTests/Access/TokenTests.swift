import Foundation
import Logging
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import WebGateway

struct TokenTests {
    private let directory: TemporaryDirectory
    private var file: TokenFile { TokenFile(path: directory.file("a/b/web-token")) }

    init() throws { directory = try TemporaryDirectory() }

    @Test func `a token is 128 bits in hexadecimal, different each time`() {
        let tokens = (0..<100).map { _ in Token().text }
        #expect(tokens.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
        #expect(Set(tokens).count == 100)
    }

    @Test func `only the same text matches`() throws {
        let token = try #require(Token("0123456789abcdef0123456789abcdef"))
        #expect(token.matches("0123456789abcdef0123456789abcdef"))
        for other in [
            "", "0", "0123456789abcdef0123456789abcdee", "0123456789ABCDEF0123456789ABCDEF",
            "0123456789abcdef0123456789abcdef0", "1123456789abcdef0123456789abcdef",
        ] {
            #expect(!token.matches(other))
        }
    }

    @Test(arguments: [
        "0123456789abcdef0123456789abcdef", "AZaz09-_AZaz09-_AZaz09", String(repeating: "x", count: 256),
    ])
    func `a token of one's own has at least 22 characters of base64url`(text: String) throws {
        #expect(Token(text)?.text == text)
        try file.replace()
        try Data("\(text)\n".utf8).write(to: URL(filePath: file.path))
        chmod(file.path, 0o600)
        #expect(try file.readOrMake().text == text)
    }

    @Test(arguments: [
        "", "0123456789abcdef01234", "0123456789abcdef0123456789abcde+", "0123456789abcdef0123456789abcde=",
        "0123456789abcdef 0123456789abcdef", String(repeating: "x", count: 257), "äöüäöüäöüäöüäöüäöüäöüäöü",
    ])
    func `anything else is not a token`(text: String) {
        #expect(Token(text) == nil)
    }

    @Test func `a token that could be guessed is refused, with what it needs`() throws {
        try file.replace()
        try Data("hunter2\n".utf8).write(to: URL(filePath: file.path))
        chmod(file.path, 0o600)
        let failure = #expect(throws: TokenFile.Failure.tooShort(path: file.path, count: 7)) { try file.readOrMake() }
        #expect(
            failure?.description == """
                \(file.path): a token of 7 characters could be guessed; it needs at least 22 of A-Z a-z 0-9 - _, all \
                random; make one with --new-token
                """)
        #expect(try directory.read("a/b/web-token") == Array("hunter2\n".utf8))
    }

    @Test func `it is made once, then read again, and readable only by its owner`() throws {
        let token = try file.readOrMake()
        #expect(try file.readOrMake().text == token.text)
        #expect(try directory.read("a/b/web-token") == Array("\(token.text)\n".utf8))
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(stat(directory.file("a/b"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func `a new token replaces it`() throws {
        let first = try file.readOrMake()
        let second = try file.replace()
        #expect(first.text != second.text)
        #expect(try file.read()?.text == second.text)
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o601])
    func `a file that others can access is refused`(mode: Int) throws {
        try file.replace()
        chmod(file.path, mode_t(mode))
        #expect(throws: TokenFile.Failure.exposed(path: file.path)) { try file.readOrMake() }
    }

    @Test(arguments: ["", "what is this?", "0123456789abcdef0123456789abcdef+\n", "\n0123456789abcdef0123456789abcdef"])
    func `a file with other content is refused, not overwritten`(content: String) throws {
        try file.replace()
        try Data(content.utf8).write(to: URL(filePath: file.path))
        chmod(file.path, 0o600)
        #expect(throws: TokenFile.Failure.notAToken(path: file.path)) { try file.readOrMake() }
    }

    @Test func `a link is not followed`() throws {
        try file.replace()
        let link = TokenFile(path: directory.file("link"))
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: file.path)
        #expect(throws: TokenFile.Failure.system(path: link.path, action: "read it", code: ELOOP)) { try link.read() }
    }

    @Test func `only a regular file is replaced`() throws {
        try file.replace()
        let token = try file.read()?.text
        let link = TokenFile(path: directory.file("link"))
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: file.path)
        let failure = #expect(throws: TokenFile.Failure.self) { try link.replace() }
        #expect(failure?.description.hasSuffix("it is a symbolic link, and only regular files are replaced") == true)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
        #expect(try file.read()?.text == token)
    }

    @Test func `if no token can be stored, this machine is served but other machines are not`() async throws {
        try directory.write("", to: "a")
        func start(_ address: String) async throws {
            let gateway = try await Gateway.start(
                GatewaySettings(socketPath: directory.file("socket")),
                on: [Listening(SocketAddress(ipAddress: address, port: 0))], tokenFile: file,
                eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            await gateway.shutdown(within: .zero)
        }
        try await start("127.0.0.1")
        await #expect(throws: TokenFile.Failure.self) { try await start("0.0.0.0") }
    }

    @Test func `the log has the first wrong token, and after each minute how many followed`() {
        var wrong = WrongTokens()
        for round in 0..<2 {
            #expect(wrong.note(from: "10.0.0.1") == "wrong token from 10.0.0.1", "round \(round)")
            #expect(wrong.note(from: "10.0.0.1") == nil)
            #expect(wrong.endPeriod() == "1 more wrong token, the last from 10.0.0.1")
            for number in 1...1000 { #expect(wrong.note(from: "10.0.0.\(number % 7)") == nil) }
            #expect(wrong.endPeriod() == "1000 more wrong tokens, the last from 10.0.0.6")
            #expect(wrong.endPeriod() == nil)
        }
    }

    @Test(arguments: [
        ("10.0.0.1", "10.0.0.2", false), ("2001:db8::1", "2001:db8::ffff", true),
        ("2001:db8::1", "2001:db8:0:1::1", false),
    ])
    func `the addresses of an IPv6 network are one party`(left: String, right: String, isSame: Bool) throws {
        let (left, right) = (try SocketAddress(ipAddress: left, port: 1), try SocketAddress(ipAddress: right, port: 2))
        #expect((left.party == right.party) == isSame)
    }
}
