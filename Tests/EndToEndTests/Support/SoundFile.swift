import Foundation

/// Sound that another program recorded.
struct SoundFile {
    /// That a file is none of those that are read here.
    struct Unreadable: Error {}

    /// Frames per second.
    let sampleRate: Int
    /// The samples of each port.
    let channels: [[Float]]

    /// Reads a WAV file with integers of 32 bits.
    init(wave bytes: [UInt8]) throws {
        func integer(_ place: Int, _ count: Int) -> Int {
            bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.count >= 44, integer(34, 2) == 32,
            let data = bytes.firstRange(of: Array("data".utf8))?.upperBound
        else { throw Unreadable() }
        sampleRate = integer(24, 4)
        let count = integer(22, 2)
        let frames = (bytes.count - data - 4) / (4 * count)
        channels = (0..<count).map { channel in
            (0..<frames).map { frame in
                let value = Int32(truncatingIfNeeded: integer(data + 4 + 4 * (frame * count + channel), 4))
                return Float(value) / 2_147_483_648
            }
        }
    }
}
