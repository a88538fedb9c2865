import Glibc
import SystemSupport

/// Where the chunks of a little-endian WAV are, found as players do.
///
/// Programs forget the byte that follows a chunk of odd size, such as `inst` with its seven bytes. Recorders that were
/// switched off, and programs that write to a pipe, leave 0 as the size of the sound.
struct WaveChunks {
    /// Where the sound begins.
    let start: Int
    /// The size that its chunk declares.
    let size: Int

    private let format: [UInt8]
    private let fact: [UInt8]?
    /// Whether a byte is missing after a chunk of odd size.
    private let isUnpadded: Bool
    private let fileSize: Int

    /// Maximum number of chunks before the sound.
    private static let chunkLimit = 1000
    /// Maximum size of a chunk that is copied.
    private static let copyLimit = 4096
    /// The kinds of chunks that WAV files have.
    private static let kinds: Set<String> = [
        "data", "fmt ", "fact", "LIST", "list", "smpl", "inst", "cue ", "bext", "iXML", "cart", "acid", "PEAK", "DISP",
        "JUNK", "junk", "PAD ", "FLLR", "id3 ", "ID3 ", "plst", "labl", "note", "LGWV", "CSET", "_PMX", "axml", "strc",
        "afsp", "levl", "minf", "elm1", "regn", "umid", "chna", "wavl", "slnt", "ResU", "tlst", "clm ", "SAUR",
    ]

    /// Inspects a file; nil if it is no such WAV, or has no sound.
    init?(descriptor: Int32, fileSize: Int) {
        guard let head = bytes(of: descriptor, 0..<12), text(head[0..<4]) == "RIFF", text(head[8..<12]) == "WAVE" else {
            return nil
        }
        var (place, format, fact, isUnpadded) = (12, [UInt8]?.none, [UInt8]?.none, false)
        for _ in 0..<WaveChunks.chunkLimit {
            guard let head = bytes(of: descriptor, place..<place + 8) else { return nil }
            let (kind, size) = (text(head[0..<4]), number(head[4..<8], isBigEndian: false))
            let content = place + 8
            switch kind {
            case "data":
                guard let format else { return nil }
                (self.start, self.size, self.format, self.fact) = (content, size, format, fact)
                (self.isUnpadded, self.fileSize) = (isUnpadded, fileSize)
                return
            case "fmt " where size <= WaveChunks.copyLimit:
                format = bytes(of: descriptor, content..<content + size)
            case "fact" where size <= WaveChunks.copyLimit:
                fact = bytes(of: descriptor, content..<content + size)
            default: break
            }
            place = content + size
            guard size % 2 == 1 else { continue }
            if WaveChunks.lacksPad(descriptor, at: place) { isUnpadded = true } else { place += 1 }
        }
        return nil
    }

    /// Whether the next chunk follows a chunk of odd size at once.
    private static func lacksPad(_ descriptor: Int32, at place: Int) -> Bool {
        guard let next = bytes(of: descriptor, place..<place + 5) else { return false }
        return kinds.contains(text(next[0..<4])) && !kinds.contains(text(next[1..<5]))
    }

    /// Whether the size is 0, and sound follows.
    private func isUnknownLength(_ descriptor: Int32) -> Bool {
        guard size == 0, start < fileSize else { return false }
        guard let next = bytes(of: descriptor, start..<start + 8) else { return true }
        let isChunk = WaveChunks.kinds.contains(text(next[0..<4]))
        return !(isChunk && start + 8 + number(next[4..<8], isBigEndian: false) <= fileSize)
    }

    /// The file with a header that libsndfile understands, if it does not understand its own.
    func mended(_ descriptor: Int32) -> SoundStream? {
        let isUnknownLength = isUnknownLength(descriptor)
        guard isUnpadded || isUnknownLength else { return nil }
        let rest = max(0, fileSize - start)
        let length = isUnknownLength ? rest : min(size, rest)
        var chunks = WaveChunks.chunk("fmt ", format)
        if let fact, !isUnknownLength { chunks += WaveChunks.chunk("fact", fact) }
        chunks += Array("data".utf8) + WaveChunks.littleEndian(length)
        let head = Array("RIFF".utf8) + WaveChunks.littleEndian(4 + chunks.count + length) + Array("WAVE".utf8) + chunks
        return SoundStream(descriptor, head: head, body: start..<start + length)
    }

    private static func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        Array(kind.utf8) + littleEndian(content.count) + content + (content.count % 2 == 1 ? [0] : [])
    }

    private static func littleEndian(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(clamping: number).littleEndian) { Array($0) }
    }
}
