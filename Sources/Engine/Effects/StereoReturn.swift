/// Where an effect's output goes, and how loud: its own two ports, and through them the mix.
struct StereoReturn: BitwiseCopyable {
    private var level = GainRamp(1)

    /// Sets out for a level in dB.
    mutating func move(to decibels: Double, frames: Int) {
        level.move(to: linearFactor(decibels: decibels), frames: frames)
    }

    /// Is at its level at once.
    mutating func arrive() { level.arrive() }

    /// Lets frames pass.
    mutating func advance(_ count: Int) { level.advance(count) }

    /// Applies the level to an effect's two channels, and adds them to the mix.
    func mix(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ ports: RtPorts, count: Int
    ) {
        unsafe add(left, to: ports.mainLeft, count: count)
        unsafe add(right, to: ports.mainRight, count: count)
    }

    private func add(_ samples: UnsafeMutablePointer<Float>, to mix: UnsafeMutablePointer<Float>, count: Int) {
        var offset = 0
        while offset < count {
            let levels = level.values(offset: offset)
            for lane in 0..<min(laneCount, count - offset) {
                let sample = unsafe samples[offset + lane] * levels[lane]
                unsafe samples[offset + lane] = sample
                unsafe mix[offset + lane] += sample
            }
            offset += laneCount
        }
    }
}
