import Foundation
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import WebGateway

@Suite(.timeLimit(.minutes(2)))
struct TokenWatchTests {
    @Test func `a token that is replaced, written in place, or made again with its folder is noticed`() async throws {
        let directory = try TemporaryDirectory()
        let file = TokenFile(path: directory.file("state/web-token"))
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let (tokens, seen) = AsyncStream.makeStream(of: String.self)
        func notices(_ token: Token) async -> Bool { await tokens.contains(token.text) }

        let first = try file.replace()
        let watch = try await loop.submit {
            let watch = TokenWatch(file.path, on: loop) { if let token = try? file.read() { seen.yield(token.text) } }
            watch.start()
            return NIOLoopBound(watch, eventLoop: loop)
        }.get()
        #expect(await notices(first))
        #expect(await notices(try file.replace()))
        let third = Token()
        let handle = try #require(FileHandle(forWritingAtPath: file.path))
        try handle.write(contentsOf: Data("\(third.text)\n".utf8))
        try handle.close()
        #expect(await notices(third))
        for _ in 0..<2 {
            try FileManager.default.removeItem(atPath: directory.file("state"))
            #expect(await notices(try file.replace()))
        }
        try FileManager.default.moveItem(atPath: directory.file("state"), toPath: directory.file("elsewhere"))
        #expect(await notices(try file.replace()))
        // Other files of the folder are none of its business.
        try directory.write("x", to: "state/other")
        try await loop.submit { watch.value.stop() }.get()
        seen.finish()
        var others = 0
        for await token in tokens where token != (try file.read()?.text) { others += 1 }
        #expect(others == 0)
    }
}
