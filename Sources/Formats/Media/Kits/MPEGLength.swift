import Glibc
import SystemSupport

/// Whether an MP3 declares how long it is. Without that its length is estimated from the first frame's bit rate, which
/// says nothing about the rest of a file of variable bit rate.
enum MPEGLength {
    /// How far the first frame may be from the beginning, or from the end of the tag there.
    private static let searched = 4096
    /// The longest estimate is for a first frame of 8 kbit/s, the lowest rate, and others of 320.
    private static let greatestRatio = 64
    /// Where a frame's `Xing` or `Info` may be, for each MPEG version with one or two channels; and its `VBRI`.
    private static let places = [(36, ["Xing", "Info", "VBRI"]), (21, ["Xing", "Info"]), (13, ["Xing", "Info"])]

    /// Whether the file's first frame holds its length.
    static func isDeclared(_ descriptor: Int32, fileSize: Int) -> Bool {
        let start = endOfTag(descriptor)
        guard start < fileSize else { return false }
        let size = min(searched, fileSize - start)
        guard let head = bytes(of: descriptor, start..<start + size) else { return false }
        // A frame begins with eleven bits that are set.
        guard let frame = head.indices.dropLast().first(where: { head[$0] == 0xff && head[$0 + 1] & 0xe0 == 0xe0 })
        else {
            return false
        }
        return places.contains { offset, kinds in
            let place = frame + offset
            return place + 4 <= size && kinds.contains(text(head[place..<place + 4]))
        }
    }

    /// The file as one that is too long by any estimate, so that it is read to its end.
    static func unlimited(_ descriptor: Int32, fileSize: Int) -> SoundStream {
        SoundStream(descriptor, body: 0..<fileSize, length: greatestRatio * fileSize)
    }

    /// Where the sound may begin: after an ID3v2 tag, whose size has seven bits a byte.
    private static func endOfTag(_ descriptor: Int32) -> Int {
        guard let head = bytes(of: descriptor, 0..<10), text(head[0..<3]) == "ID3" else { return 0 }
        return 10 + head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7f) }
    }
}
