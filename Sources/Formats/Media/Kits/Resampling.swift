import CSampleRate

extension SampleFile {
    /// The length of the fade-out at a sample's end, in seconds.
    private static let fade = 0.001

    /// The number of samples at a sample rate in Hz.
    func frames(at sampleRate: Int) -> Int {
        (samples.count * sampleRate + self.sampleRate - 1) / self.sampleRate
    }

    /// The samples at another sample rate in Hz, ending in silence.
    func samples(at sampleRate: Int) -> [Float] {
        var samples = sampleRate == self.sampleRate ? samples : resampled(to: sampleRate)
        let length = min(samples.count, Int(SampleFile.fade * Double(sampleRate)))
        for index in 0..<length { samples[samples.count - 1 - index] *= Float(index) / Float(length) }
        return samples
    }

    private func resampled(to sampleRate: Int) -> [Float] {
        let ratio = Double(sampleRate) / Double(self.sampleRate)
        let capacity = frames(at: sampleRate)
        return samples.withUnsafeBufferPointer { input in
            [Float](unsafeUninitializedCapacity: capacity) { output, count in
                var data = SRC_DATA()
                data.data_in = input.baseAddress
                data.input_frames = input.count
                data.data_out = output.baseAddress
                data.output_frames = capacity
                data.src_ratio = ratio
                // It fails only for impossible ratios, or without memory.
                let status = src_simple(&data, Int32(SRC_SINC_BEST_QUALITY), 1)
                precondition(status == 0, "cannot resample: \(String(cString: src_strerror(status)))")
                count = data.output_frames_gen
            }
        }
    }
}
