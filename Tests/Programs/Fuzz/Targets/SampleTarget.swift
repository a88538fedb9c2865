import Glibc

@testable import Media

/// Sound files that a user has put into a kit's folder.
struct SampleTarget: FuzzTarget {
    /// A file that is already unlinked, rewritten for each input.
    private let descriptor: Int32

    init() {
        var path = Array("/tmp/pixelboop-fuzz-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        require(descriptor >= 0 && unlink(&path) == 0, "there is no room for a file in /tmp")
    }

    func run(_ input: UnsafeRawBufferPointer) {
        require(ftruncate(descriptor, 0) == 0, "the file can be emptied")
        require(pwrite(descriptor, input.baseAddress, input.count, 0) == input.count, "the file can be written")
        lseek(descriptor, 0, SEEK_SET)
        do throws(SampleError) {
            check(try SampleFile(descriptor: descriptor))
        } catch {
            require(!error.description.isEmpty, "a refusal without a reason")
        }
    }

    private func check(_ file: SampleFile) {
        require(SampleFile.rates.contains(file.sampleRate), "\(file.sampleRate) Hz")
        require((1...SampleFile.longest * file.sampleRate).contains(file.samples.count), "\(file.samples.count) frames")
        require(file.samples.allSatisfy { abs($0) <= 16 }, "a sample out of range")
        // Long samples take long.
        guard file.samples.count < 4096 else { return }
        let samples = file.samples(at: 48_000)
        require(samples.count <= file.frames(at: 48_000), "more samples than there is room for")
        require(samples.allSatisfy { abs($0) < 32 }, "resampled to something else")
    }
}
