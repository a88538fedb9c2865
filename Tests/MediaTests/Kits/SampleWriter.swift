import CSndFile
import Foundation

/// Writes sound files of every kind.
enum SampleWriter {
    /// Writes a file with libsndfile.
    ///
    /// - Parameter format: A libsndfile format, 16-bit WAV by default.
    static func write(
        _ samples: [Float], to path: String, sampleRate: Int = 48_000, channels: Int = 1,
        format: Int = SF_FORMAT_WAV | SF_FORMAT_PCM_16
    ) throws {
        var info = SF_INFO()
        info.samplerate = Int32(sampleRate)
        info.channels = Int32(channels)
        info.format = Int32(format)
        guard let encoder = sf_open(path, Int32(SFM_WRITE), &info) else {
            throw CocoaError(.fileWriteUnknown, userInfo: ["reason": String(cString: sf_strerror(nil))])
        }
        sf_writef_float(encoder, samples, sf_count_t(samples.count / channels))
        sf_close(encoder)
    }
}
