import Foundation

struct SoundFile {
    /// The file has a format that is not supported here.
    struct Unreadable: Error {}

    /// Frames per second.
    let sampleRate: Int
    /// The samples of each port.
    let channels: [[Float]]

    /// Reads a WAV file with integers of 16, 24 or 32 bits.
    init(wave bytes: [UInt8]) throws {
        func integer(_ place: Int, _ count: Int) -> Int {
            bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count >= 44, [16, 24, 32].contains(integer(34, 2)),
            let data = bytes.firstRange(of: Array("data".utf8))?.upperBound
        else { throw Unreadable() }
        sampleRate = integer(24, 4)
        let count = integer(22, 2)
        let width = integer(34, 2) / 8
        let frames = (bytes.count - data - 4) / (width * count)
        channels = (0..<count).map { channel in
            (0..<frames).map { frame in
                let value = integer(data + 4 + width * (frame * count + channel), width) << (32 - 8 * width)
                return Float(Int32(truncatingIfNeeded: value)) / 2_147_483_648
            }
        }
    }
}
