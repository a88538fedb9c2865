import CSndFile
import Foundation
import Media
import TestNeeds
import TestSupport
import Testing

@Suite(.needs(.smallDisk))
struct FullDiskTests {
    private let disk: SmallDisk

    init() throws {
        disk = try SmallDisk()
    }

    @Test(arguments: ["x.wav", "x.flac"])
    func `audio that does not fit leaves no file`(name: String) throws {
        #expect(throws: AudioFileError.self) {
            let file = try AudioFile(path: disk.directory.file(name))
            var noise = SystemRandomNumberGenerator()
            for _ in 0..<8 {
                try file.write(interleaved: (0..<8192).map { _ in Float.random(in: -1...1, using: &noise) })
            }
            try file.finish()
        }
        #expect(try disk.directory.names == [])
    }

    /// The last block is encoded at the end, so that there may be room for all but that.
    @Test(arguments: ["x.wav", "x.flac"])
    func `audio that is reported as written is whole, however much room there was`(name: String) throws {
        var noise = SeededGenerator(seed: 1)
        let samples = (0..<2 * 5000).map { _ in Float.random(in: -1...1, using: &noise) }
        var results: Set<Bool> = []
        for room in stride(from: 4096, to: SmallDisk.usualSize, by: 4096) {
            let ballast = disk.directory.file("ballast")
            try Data(count: SmallDisk.usualSize - room).write(to: URL(filePath: ballast))
            let isWritten = (try? write(samples, to: name)) != nil
            results.insert(isWritten)
            let names = try disk.directory.names
            #expect(isWritten || names == ["ballast"], "room for \(room) bytes")
            guard isWritten else { continue }
            var info = SF_INFO()
            let file = try #require(sf_open(disk.directory.file(name), Int32(SFM_READ), &info))
            var read = [Float](repeating: 0, count: samples.count)
            #expect(sf_readf_float(file, &read, 5000) == 5000 && info.frames == 5000, "room for \(room) bytes")
            sf_close(file)
            try FileManager.default.removeItem(atPath: disk.directory.file(name))
        }
        #expect(results == [false, true])
    }

    private func write(_ samples: [Float], to name: String) throws {
        let file = try AudioFile(path: disk.directory.file(name))
        try file.write(interleaved: samples)
        try file.finish()
    }
}
