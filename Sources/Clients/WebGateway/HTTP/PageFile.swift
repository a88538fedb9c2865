import NIOCore
import WebPage

/// A file of the page, embedded in the program.
struct PageFile: Sendable {
    var contentType: String
    var bytes: ByteBuffer
    /// The compressed bytes, if that saves enough.
    var compressed: ByteBuffer?
    /// Changes whenever the bytes do.
    var tag: String

    /// All files, by the path that a browser asks for.
    static let all: [String: PageFile] = {
        var count = 0
        guard let files = page_files(&count) else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: UnsafeBufferPointer(start: files, count: count).map { file in
                let bytes = ByteBuffer(bytes: UnsafeBufferPointer(start: file.bytes, count: file.count))
                return (String(cString: file.path), PageFile(String(cString: file.content_type), bytes))
            })
    }()

    private init(_ contentType: String, _ bytes: ByteBuffer) {
        self.contentType = contentType
        self.bytes = bytes
        compressed = Compression.gzip(bytes)
        tag = String(Self.hash(bytes), radix: 16)
    }

    /// FNV-1a: the same in every run, unlike Swift's own hashes.
    private static func hash(_ bytes: ByteBuffer) -> UInt64 {
        bytes.readableBytesView.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
