import CSndFile
import Foundation

/// Writes sound files of every kind.
enum SampleWriter {
    /// Writes a file with libsndfile.
    ///
    /// - Parameters:
    ///   - format: A libsndfile format, 16-bit WAV by default.
    ///   - isVariable: Whether an MP3 has a variable bit rate.
    static func write(
        _ samples: [Float], to path: String, sampleRate: Int = 48_000, channels: Int = 1,
        format: Int = SF_FORMAT_WAV | SF_FORMAT_PCM_16, isVariable: Bool = false
    ) throws {
        var info = SF_INFO()
        info.samplerate = Int32(sampleRate)
        info.channels = Int32(channels)
        info.format = Int32(format)
        guard let encoder = sf_open(path, Int32(SFM_WRITE), &info) else {
            throw CocoaError(.fileWriteUnknown, userInfo: ["reason": String(cString: sf_strerror(nil))])
        }
        if isVariable {
            var mode = Int32(SF_BITRATE_MODE_VARIABLE)
            sf_command(encoder, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
        }
        sf_writef_float(encoder, samples, sf_count_t(samples.count / channels))
        sf_close(encoder)
    }
}
