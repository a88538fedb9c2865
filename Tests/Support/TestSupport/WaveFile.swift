import Foundation

/// A WAV file, read and made byte by byte, without the library that the programs use.
public struct WaveFile: Sendable {
    /// The file has no format that is read here.
    public struct Unreadable: Error {}

    public let channelCount: Int
    /// Frames per second.
    public let sampleRate: Int
    public let bits: Int
    public let isFloat: Bool
    /// The samples as they are stored.
    public let data: ArraySlice<UInt8>

    public init(reading bytes: [UInt8]) throws {
        func chunk(_ name: String) throws -> ArraySlice<UInt8> {
            var place = 12
            while place + 8 <= bytes.count {
                let end = place + 8 + bytes.integer(at: place + 4, of: 4)
                guard end <= bytes.count else { break }
                if bytes[place..<place + 4].elementsEqual(name.utf8) { return bytes[place + 8..<end] }
                place = end + end % 2
            }
            throw Unreadable()
        }
        let format = Array(try chunk("fmt "))
        isFloat = format.integer(at: 0, of: 2) == 3
        channelCount = format.integer(at: 2, of: 2)
        sampleRate = format.integer(at: 4, of: 4)
        bits = format.integer(at: 14, of: 2)
        data = try chunk("data")
    }

    public var frames: Int { data.count / (channelCount * bits / 8) }

    /// The samples of each channel, which are stored as integers.
    public var channels: [[Float]] {
        let (bytes, width) = (Array(data), bits / 8)
        return (0..<channelCount).map { channel in
            (0..<frames).map { frame in
                let value = bytes.integer(at: width * (frame * channelCount + channel), of: width) << (32 - bits)
                return Float(Int32(truncatingIfNeeded: value)) / 2_147_483_648
            }
        }
    }

    /// The samples of all channels, interleaved, which are stored as 32-bit floats.
    public var floats: [Float] {
        data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    /// The bytes of a WAV of 32-bit floats, whatever size its header claims.
    public static func bytes(
        _ samples: [Float], channels: Int = 1, sampleRate: Int = 48_000, dataSize: Int? = nil
    ) -> Data {
        let size = dataSize ?? 4 * samples.count
        var bytes = Data("RIFF".utf8)
        func append<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        append(UInt32(truncatingIfNeeded: 36 + size))
        bytes.append(contentsOf: "WAVEfmt ".utf8)
        append(UInt32(16))
        append(UInt16(3))
        append(UInt16(truncatingIfNeeded: channels))
        append(UInt32(truncatingIfNeeded: sampleRate))
        append(UInt32(truncatingIfNeeded: sampleRate * channels * 4))
        append(UInt16(truncatingIfNeeded: channels * 4))
        append(UInt16(32))
        bytes.append(contentsOf: "data".utf8)
        append(UInt32(truncatingIfNeeded: size))
        for sample in samples { append(sample.bitPattern) }
        return bytes
    }

    /// A sine at full scale.
    public static func sine(_ frequency: Double, frames: Int, sampleRate: Int = 48_000, level: Double = 1) -> [Float] {
        (0..<frames).map { Float(level * sin(2 * .pi * frequency * Double($0) / Double(sampleRate))) }
    }
}

extension [UInt8] {
    /// The little-endian 16-bit samples that they are.
    public var samples16: [Int16] {
        stride(from: 0, to: count - 1, by: 2).map { Int16(truncatingIfNeeded: integer(at: $0, of: 2)) }
    }

    /// The little-endian integer of some bytes.
    fileprivate func integer(at place: Int, of count: Int) -> Int {
        self[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
