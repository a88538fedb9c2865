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
}
