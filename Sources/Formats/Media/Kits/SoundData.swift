import Glibc
import SystemSupport

/// How many bytes of sound a file declares, and how many it has: libsndfile does not report truncated files.
struct SoundData: Equatable {
    var promised: Int
    var present: Int

    /// Larger values mean that the length was unknown when the header was written.
    private static let longest = 0x7fff_0000
    private static let chunkLimit = 1000

    /// Inspects a WAV, AIFF or AU file; nil for others, and if no length is declared.
    init?(descriptor: Int32, fileSize: Int) {
        guard let head = bytes(of: descriptor, 0..<12) else { return nil }
        let start: Int
        switch (text(head[0..<4]), text(head[8..<12])) {
        case ("RIFF", "WAVE"):
            let chunks = WaveChunks(descriptor: descriptor, fileSize: fileSize)
            (start, promised) = (chunks?.start ?? 0, chunks?.size ?? 0)
        case ("RIFX", "WAVE"): (start, promised) = Self.chunk("data", descriptor) ?? (0, 0)
        case ("FORM", "AIFF"), ("FORM", "AIFC"):
            // The sound follows two numbers of four bytes each.
            (start, promised) = Self.chunk("SSND", descriptor).map { ($0 + 8, $1 - 8) } ?? (0, 0)
        case (".snd", _):
            (start, promised) = (number(head[4..<8], isBigEndian: true), number(head[8..<12], isBigEndian: true))
        default: return nil
        }
        guard start > 0, (1..<Self.longest).contains(promised) else { return nil }
        present = max(0, fileSize - start)
    }

    /// How many bytes the file is shorter than it declares.
    var missing: Int { max(0, promised - present) }

    /// Where the content of a big-endian file's first chunk of a kind begins, and its length.
    private static func chunk(_ kind: String, _ descriptor: Int32) -> (start: Int, size: Int)? {
        var place = 12
        for _ in 0..<chunkLimit {
            guard let head = bytes(of: descriptor, place..<place + 8) else { return nil }
            let size = number(head[4..<8], isBigEndian: true)
            if text(head[0..<4]) == kind { return (place + 8, size) }
            // Chunks begin at even places.
            place += 8 + size + size % 2
        }
        return nil
    }
}

/// The bytes at a place in an open file; nil if they are not all there.
func bytes(of descriptor: Int32, _ range: Range<Int>) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let count = retryingInterrupted { pread(descriptor, &bytes, range.count, off_t(range.lowerBound)) }
    return count == range.count ? bytes : nil
}

func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

func number(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> Int {
    (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
}
