import Glibc
import JSON
import Testing

@testable import Control

struct OpenRPCTests {
    /// `PIXELBOOP_UPDATE_DOCS=1 swift test --filter OpenRPCTests` writes the file anew.
    private static let path = #filePath.components(before: "/Tests/") + "/docs/openrpc.json"

    @Test func `docs/openrpc.json is the command table's`() throws {
        let document = OpenRPC.document.prettyBytes
        if getenv("PIXELBOOP_UPDATE_DOCS") != nil { try TextFile.write(document, to: Self.path) }
        let file = try TextFile.read(Self.path)
        #expect(file == document, "write it anew: PIXELBOOP_UPDATE_DOCS=1 swift test --filter OpenRPCTests")
    }

    @Test func `all methods of the protocol are in the table, each once`() {
        #expect(
            MethodTable.methods.map(\.name).sorted() == [
                "colors.set", "export.midi", "export.wav", "frame.get", "ghosts.set", "hello", "history.redo",
                "history.undo", "length.set", "library.delete", "library.list", "library.load", "library.rename",
                "library.save", "note.set", "pattern.clear", "pattern.get", "pattern.set", "ping", "root.set",
                "rpc.discover", "scale.set", "state.get", "stats.get", "subscribe", "swing.set", "tempo.set",
                "tempo.tap", "touch", "track.set", "transport.locate", "transport.pause", "transport.play",
                "transport.stop", "transport.toggle", "unsubscribe",
            ])
    }

    @Test func `every method and parameter is described in a sentence`() {
        for method in MethodTable.methods {
            #expect(method.summary.hasSuffix("."), "\(method.name)")
            for parameter in method.parameters {
                #expect(parameter.summary.hasSuffix("."), "\(method.name) \(parameter.name)")
            }
        }
    }
}

extension String {
    fileprivate func components(before marker: String) -> String {
        String(self[..<(ranges(of: marker).last?.lowerBound ?? endIndex)])
    }
}

/// Whole files, without Foundation.
enum TextFile {
    struct Failure: Error {
        var path: String
        var code: CInt
    }

    static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw Failure(path: path, code: errno) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return bytes
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure(path: path, code: errno) }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure(path: path, code: errno) }
    }
}
