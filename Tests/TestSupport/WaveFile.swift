import Foundation

/// Sound files made byte by byte.
public enum WaveFile {
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
