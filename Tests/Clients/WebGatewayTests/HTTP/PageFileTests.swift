import Foundation
import NIOCore
import Testing

@testable import WebGateway

struct PageFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../Sources/Clients/WebPage/Page").standardized

    @Test func `every file of the page is in the program unchanged`() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
        let files = names.filter { !Self.folder.appending(path: $0).hasDirectoryPath }
        #expect(PageFile.all.count == files.count)
        for name in files {
            let path = name == "index.html" ? "/" : "/\(name)"
            let file = try #require(PageFile.all[path], "\(name) is not in Sources/Clients/WebPage/files.c")
            let content = try Data(contentsOf: Self.folder.appending(path: name))
            #expect(Array(file.bytes.readableBytesView) == Array(content), "\(name)")
        }
    }

    @Test func `a file's type follows from its name's ending`() {
        let types = [
            "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "png": "image/png",
            "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
        ]
        for (path, file) in PageFile.all {
            let type = path == "/" ? "text/html; charset=utf-8" : types[String(path.split(separator: ".").last ?? "")]
            #expect(file.contentType == type, "\(path)")
        }
    }

    @Test func `all files together have less than 230 KB`() {
        #expect(PageFile.all.values.reduce(0) { $0 + $1.bytes.readableBytes } < 230_000)
    }

    @Test func `compressed they have less than 85 KB`() {
        #expect(PageFile.all.values.reduce(0) { $0 + ($1.compressed ?? $1.bytes).readableBytes } < 85_000)
    }

    @Test func `files that compression does not make smaller are sent as they are`() throws {
        #expect(try #require(PageFile.all["/app.js"]).compressed != nil)
        #expect(Compression.gzip(ByteBuffer()) == nil)
        #expect(Compression.gzip(ByteBuffer(string: "x")) == nil)
        #expect(Compression.gzip(ByteBuffer(bytes: (0..<2000).map { _ in UInt8.random(in: 0...255) })) == nil)
    }

    @Test(arguments: [
        (["gzip"], true), (["deflate, gzip;q=0.5"], true), (["gzip, deflate, br, zstd"], true), ([], false),
        (["br", "gzip"], true), (["deflate"], false), (["gzip;q=0"], false), (["GZIP ; Q=1"], true), (["xgzip"], false),
    ])
    func `a browser states what it accepts`(values: [String], takesGzip: Bool) {
        let values = values.flatMap { $0.split(separator: ",") }.map { Substring($0.drop { $0 == " " }) }
        #expect(Compression.isAccepted(by: values) == takesGzip)
    }

    @Test func `different files have different tags`() {
        #expect(Set(PageFile.all.values.map(\.tag)).count == PageFile.all.count)
    }
}
