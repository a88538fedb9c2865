import Music

extension KitDescription {
    /// Classic, the first kit: dry drums, whose accents are exactly twice as loud. Levels are peaks relative to 0.3;
    /// the level of a whole drum is divided among its parts.
    static let classic = KitDescription(
        metal: [], normalNoise: 1, limitsNoise: false, drums: parts.mapValues { DrumDescription($0, gain: 0.3) })

    private static let parts: [Drum: [DrumPart]] = [
        .kick: [.sine(150, to: 30, in: 0.1, isEven: true, level: 1.5, decay: 0.3)],
        .kick2: [.sine(120, to: 30, in: 0.1, isEven: true, level: 1.5, decay: 0.3)],
        .lowTom: [.sine(100, to: 60, in: 0.15, isEven: true, level: 1, decay: 0.25)],
        .snare: [
            highPassedNoise(1000, level: 0.8, decay: 0.15),
            .sine(180, to: 180, in: 1, level: 0.5, decay: 0.08),
        ],
        .snare2: [
            highPassedNoise(1500, level: 0.8, decay: 0.15),
            .sine(200, to: 200, in: 1, level: 0.5, decay: 0.08),
        ],
        .rimshot: [.triangle(800, level: 0.5, decay: 0.05)],
        .clap: [.noise(.bandPass, 1200, q: 1, level: 0.6, decay: 0.1, bursts: 3, every: 0.015)],
        .closedHat: [highPassedNoise(7000, level: 0.4, decay: 0.05)],
        .openHat: [highPassedNoise(6000, level: 0.35, decay: 0.25)],
        .crash: [highPassedNoise(4000, level: 0.5, decay: 0.5)],
        .ride: [
            .triangle(350, level: 0.125, decay: 0.4), .sine(620, to: 620, in: 1, level: 0.125, decay: 0.4),
        ],
        .cowbell: [.square(560, level: 0.125, decay: 0.15), .square(845, level: 0.125, decay: 0.15)],
    ]

    private static func highPassedNoise(_ frequency: Double, level: Double, decay: Double) -> DrumPart {
        .noise(.highPass, frequency, q: BiquadCoefficients.butterworth, level: level, decay: decay)
    }
}
