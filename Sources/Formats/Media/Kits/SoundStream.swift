import CSndFile
import Glibc
import SystemSupport

/// What libsndfile reads in place of a file whose header it does not understand as players do: other first bytes, and
/// the file from some place on. Not thread-safe.
final class SoundStream {
    private let descriptor: Int32
    /// The bytes that come before those of the file.
    private let head: [UInt8]
    /// The bytes of the file.
    private let body: Range<Int>
    /// The length in bytes that libsndfile is told.
    private let length: Int
    private var position = 0

    /// mpg123 takes a file's length only if it can read this many bytes at the end, where a tag may be.
    private static let tagSize = 128

    /// - Parameters:
    ///   - body: The place of these bytes in the file.
    ///   - length: The length to pretend; by default what there is.
    init(_ descriptor: Int32, head: [UInt8] = [], body: Range<Int>, length: Int? = nil) {
        self.descriptor = descriptor
        self.head = head
        self.body = body
        self.length = length ?? head.count + body.count
    }

    /// Opens it for reading, as `sf_open_fd` does a file. It must be kept until the decoder is closed.
    func open(_ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { sf_count_t(SoundStream.from($0).length) },
            seek: { sf_count_t(SoundStream.from($2).seek(Int($0), whence: $1)) },
            read: { sf_count_t(SoundStream.from($2).read(into: $0, Int($1))) },
            write: { _, _, _ in 0 },
            tell: { sf_count_t(SoundStream.from($0).position) })
        position = 0
        return sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> SoundStream {
        // libsndfile passes what ``open(_:)`` gave it.
        Unmanaged<SoundStream>.fromOpaque(pointer!).takeUnretainedValue()
    }

    private func seek(_ offset: Int, whence: Int32) -> Int {
        let base =
            switch whence {
            case SEEK_CUR: position
            case SEEK_END: length
            default: 0
            }
        let (place, isTooFar) = base.addingReportingOverflow(offset)
        guard !isTooFar, place >= 0 else { return -1 }
        position = place
        return place
    }

    private func read(into bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        guard let bytes else { return 0 }
        var done = 0
        while done < count {
            let step = piece(into: bytes + done, count - done)
            guard step > 0 else { break }
            done += step
            position += step
        }
        return done
    }

    /// Copies bytes from the present position up to where they come from elsewhere; returns how many.
    private func piece(into bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
        if position < head.count {
            let size = min(count, head.count - position)
            head.withUnsafeBytes { source in
                if let start = source.baseAddress { memcpy(bytes, start + position, size) }
            }
            return size
        }
        let place = position - head.count
        if place < body.count {
            let offset = off_t(body.lowerBound + place)
            return max(0, retryingInterrupted { pread(descriptor, bytes, min(count, body.count - place), offset) })
        }
        guard position >= length - SoundStream.tagSize, position < length else { return 0 }
        let size = min(count, length - position)
        memset(bytes, 0, size)
        return size
    }
}
