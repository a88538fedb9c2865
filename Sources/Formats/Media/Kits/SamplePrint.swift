import Glibc
import Music
import SystemSupport

/// By what a sample is found and recognised again.
public struct SamplePrint: Equatable, Sendable {
    /// A hash of the file's bytes.
    public let file: UInt64
    /// A hash of the samples as they are played.
    public let samples: UInt64
}

/// A hash that tells files apart, not one that keeps out forgeries: FNV-1a with 64 bits.
struct ContentHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    /// The hash of samples, bit for bit.
    static func of(_ samples: [Float]) -> UInt64 {
        var hash = ContentHash()
        samples.withUnsafeBytes { hash.add($0) }
        return hash.value
    }

    /// The hash of an open file's bytes, from its start; nil if they cannot be read.
    static func of(descriptor: Int32) -> UInt64? {
        var hash = ContentHash()
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var place: off_t = 0
        while true {
            let count = retryingInterrupted { pread(descriptor, &bytes, bytes.count, place) }
            guard count > 0 else { return count == 0 ? hash.value : nil }
            bytes.withUnsafeBytes { hash.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            place += off_t(count)
        }
    }
}

extension KitLibrary {
    /// The largest file in bytes that can be a drum's: as long as a sample may be, in stereo at the highest rate.
    private static let largestFile = SampleFile.longest * SampleFile.rates.upperBound * 2 * MemoryLayout<Double>.size

    /// Finds sound files by the hashes of their bytes, under any name; returns their paths. If the task is cancelled, the rest
    /// is not looked for.
    ///
    /// - Parameter name: The kit in whose folder most of them should be.
    public func find(_ hashes: Set<UInt64>, beginningWith name: String) -> [UInt64: String] {
        var found: [UInt64: String] = [:]
        for kit in [name] + kitNames.filter({ $0 != name }) where kit.isFileName {
            let folder = folder(of: kit)
            for file in ((try? names(inDirectory: folder)) ?? []).sorted() where !file.isLeftBySystem {
                if found.count == hashes.count || Task.isCancelled { return found }
                guard let hash = Self.hash(of: "\(folder)/\(file)"), hashes.contains(hash) else { continue }
                if found[hash] == nil { found[hash] = "\(folder)/\(file)" }
            }
        }
        return found
    }

    private static func hash(of path: String) -> UInt64? {
        let descriptor = retryingInterrupted { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= largestFile else {
            return nil
        }
        return ContentHash.of(descriptor: descriptor)
    }

    /// Reads a sound file and prepares it for a rate in Hz; nil if it is none.
    public func prepare(_ path: String, sampleRate: Int) -> (samples: [Float], print: SamplePrint)? {
        guard let file = try? SampleFile(path: path), let hash = file.hash else { return nil }
        let samples = file.samples(at: sampleRate)
        return (samples, SamplePrint(file: hash, samples: ContentHash.of(samples)))
    }
}
