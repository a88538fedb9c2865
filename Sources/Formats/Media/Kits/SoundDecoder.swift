import CSndFile
import Glibc

/// A sound file opened with libsndfile, in a way that it reads everything that is there.
final class SoundDecoder {
    let info: SF_INFO

    private let decoder: OpaquePointer
    /// What the decoder reads, if not the file itself; nil for a file.
    private let stream: SoundStream?
    /// Whether the number of frames is an estimate.
    private let isEstimated: Bool

    /// Opens an open file from its current position, and leaves it open.
    init(_ descriptor: Int32, fileSize: Int) throws(SampleError) {
        var info = SF_INFO()
        var stream = WaveChunks(descriptor: descriptor, fileSize: fileSize)?.mended(descriptor)
        var decoder = stream.map { $0.open(&info) } ?? openSound(descriptor, SFM_READ, &info)
        var isEstimated = false
        if let first = decoder, Int(info.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_MPEG,
            !MPEGLength.isDeclared(descriptor, fileSize: fileSize)
        {
            // libsndfile reads no more frames than it announced.
            let unlimited = MPEGLength.unlimited(descriptor, fileSize: fileSize)
            var longer = SF_INFO()
            isEstimated = true
            if let second = unlimited.open(&longer) {
                sf_close(first)
                (decoder, stream, info) = (second, unlimited, longer)
            }
        }
        guard let decoder else { throw .unreadable(reason: String(cString: sf_strerror(nil))) }
        (self.decoder, self.stream, self.info, self.isEstimated) = (decoder, stream, info, isEstimated)
    }

    deinit { sf_close(decoder) }

    /// How many frames the file should have; 0 if it does not say so.
    var promisedFrames: Int {
        // A stream's header declares the greatest possible length.
        isEstimated || info.frames >= sf_count_t(1) << 40 ? 0 : Int(info.frames)
    }

    /// The bytes of a frame; 1 if frames are compressed.
    var frameSize: Int {
        let bytes =
            switch Int(info.format) & SF_FORMAT_SUBMASK {
            case SF_FORMAT_PCM_16: 2
            case SF_FORMAT_PCM_24: 3
            case SF_FORMAT_PCM_32, SF_FORMAT_FLOAT: 4
            case SF_FORMAT_DOUBLE: 8
            case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_ULAW, SF_FORMAT_ALAW: 1
            default: 0
            }
        return max(1, bytes * Int(info.channels))
    }

    /// Reads the next frames of interleaved samples; returns how many.
    func read(_ samples: inout [Float], frames: Int) -> Int {
        Int(sf_readf_float(decoder, &samples, sf_count_t(frames)))
    }
}
