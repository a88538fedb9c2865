import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// The delay's time, when it changes more than once in a period.
@Suite struct EchoTimeTests {
    /// How long a step is from a frame on.
    private static let steps: [(frame: Int, seconds: Double)] = [(0, 0.03), (3000, 0.05), (5000, 0.04), (5100, 0.02)]

    /// The delay's left output for noise.
    private func echoes(period: Int) -> [Float] {
        var score = Score.with([])
        score.parameters[.delaySteps] = 1
        let scores = ScoreExchange(score)
        let parameters = scores.current.parameters
        var clock = EchoClock(sampleRate: 48_000)
        var master = Master(MasterSettings(parameters), sampleRate: 48_000)
        var mix = Mix()
        let buffers = PeriodBuffers()
        defer { withExtendedLifetime(buffers) {} }
        let bus = buffers.samples(of: .track(.melody))
        var random = SeededGenerator(seed: 1)
        var result: [Float] = []
        var frame = 0
        while frame < 16_384 {
            let count = min(period, 16_384 - frame)
            for port in EnginePort.audio { buffers.samples(of: port).update(repeating: 0, count: count) }
            for index in 0..<count { bus[index] = Float.random(in: -1...1, using: &random) }
            mix.begin(frameCount: count, echoSeconds: clock.seconds)
            var done = 0
            while done < count {
                let step = Self.steps.last { $0.frame <= frame + done }!
                let next = Self.steps.first { $0.frame > frame + done }?.frame ?? .max
                let stretch = min(count - done, next - frame - done)
                clock.follow(step.seconds, isOwn: true, &mix.echoTimes, offset: done, count: stretch)
                done += stretch
            }
            mix.delay.add(
                Stretch(
                    mid: bus, side: nil, ducking: nil, frame: Int64(frame), offset: 0, count: count,
                    grid: ControlGrid()),
                GainLine(GainRamp(1)))
            mix.sounding.insert(Track.melody.rawValue)
            master.finish(&mix, buffers.ports)
            result += UnsafeBufferPointer(start: buffers.samples(of: EnginePort.delay[0]), count: count)
            frame += count
        }
        return result
    }

    @Test(arguments: [64, 1000, 5050, 8192])
    func `every change of the time counts, however many a period contains`(period: Int) {
        let (echoes, reference) = (echoes(period: period), echoes(period: 100))
        #expect(reference[..<1440].peak == 0 && reference[1440...1500].peak > 0.1)
        let first = zip(echoes, reference).enumerated().first { $0.element.0.bitPattern != $0.element.1.bitPattern }
        #expect(first == nil, "frame \(first?.offset ?? 0)")
    }
}
