import Music

// The kits. The levels of all but the first are matched by K-weighted energy, which the tests measure: kicks -25, tom -29,
// snares and crash -30, clap -32, open hat and ride -36, rimshot and cowbell -38, closed hat -42; CR-78 all 3 dB lower.

extension KitDescription {
    /// In the order of `Music.Track.soundNames`.
    static let all = Track.rhythm.soundNames.map { byName[$0]! }

    static let byName: [String: KitDescription] = [
        "Classic": classic, "808": eightOhEight, "909": nineOhNine, "CR-78": compuRhythm, "Industrial": industrial,
        "808 II": eightOhEightTwo, "909 II": nineOhNineTwo,
    ]

    static let eightOhEight = KitDescription(
        metal: [205.3, 304.4, 369.6, 522.7, 540, 800],
        drums: [
            .kick: DrumDescription(
                [
                    .sine(125, to: 52, in: 0.05, level: 1, decay: 0.75, hold: 0.005),
                    .noise(.lowPass, 2500, q: 0.7, level: 0.35, decay: 0.012),
                ], drive: 1.6, gain: 0.381_1),
            .kick2: DrumDescription(
                [
                    .sine(100, to: 44, in: 0.09, level: 1, decay: 1.3, hold: 0.01),
                    .noise(.lowPass, 1200, q: 0.7, level: 0.25, decay: 0.012),
                ], drive: 1.3, gain: 0.353_6),
            .lowTom: DrumDescription(
                [
                    .sine(125, to: 88, in: 0.1, level: 1, decay: 0.42),
                    .noise(.lowPass, 900, q: 0.7, level: 0.1, decay: 0.15),
                ], gain: 0.361_3),
            .snare: DrumDescription(
                [
                    .sine(190, to: 178, in: 0.05, level: 0.55, decay: 0.16),
                    .sine(345, to: 330, in: 0.05, level: 0.35, decay: 0.1),
                    .noise(.highPass, 1800, q: 0.7, level: 0.55, decay: 0.22),
                ], gain: 0.486_1),
            .snare2: DrumDescription(
                [
                    .sine(215, to: 200, in: 0.05, level: 0.5, decay: 0.14),
                    .sine(385, to: 370, in: 0.05, level: 0.35, decay: 0.09),
                    .noise(.highPass, 2600, q: 0.7, level: 0.65, decay: 0.32),
                ], gain: 0.401_6),
            .rimshot: DrumDescription(
                [
                    .sine(1680, to: 1667, in: 0.01, level: 0.6, decay: 0.03),
                    .sine(470, to: 455, in: 0.01, level: 0.6, decay: 0.04),
                    .noise(.bandPass, 3500, q: 1, level: 0.3, decay: 0.008),
                ], gain: 0.395_8),
            .clap: DrumDescription(
                [
                    .noise(.bandPass, 1100, q: 1.4, level: 1, decay: 0.03, bursts: 3, every: 0.01),
                    .noise(.bandPass, 1100, q: 1.4, level: 0.55, decay: 0.3, attack: 0.03),
                ], gain: 1.317_8),
            .closedHat: DrumDescription([.metal(.highPass, 7000, q: 0.9, level: 1, decay: 0.075)], gain: 0.761_3),
            .openHat: DrumDescription([.metal(.highPass, 7000, q: 0.9, level: 1, decay: 0.5)], gain: 0.598_2),
            .crash: DrumDescription(
                [
                    .metal(.bandPass, 3440, q: 1.2, level: 0.6, decay: 1.4),
                    .metal(.highPass, 7000, q: 0.9, level: 1, decay: 0.9),
                ], gain: 0.760_7),
            .ride: DrumDescription(
                [
                    .metal(.bandPass, 5200, q: 1.5, level: 0.6, decay: 0.9),
                    .metal(.highPass, 8500, q: 0.9, level: 0.7, decay: 0.5),
                ], gain: 0.694_3),
            .cowbell: DrumDescription(
                [
                    .square(540, level: 0.5, decay: 0.05), .square(800, level: 0.5, decay: 0.05),
                    .square(540, level: 0.3, decay: 0.35), .square(800, level: 0.3, decay: 0.35),
                ], bandPass: (1400, 0.9), gain: 0.245_4),
        ])

    static let nineOhNine = KitDescription(
        metal: [263, 400, 421, 474, 587, 845],
        drums: [
            .kick: DrumDescription(
                [
                    .sine(230, to: 50, in: 0.11, level: 1, decay: 0.55, hold: 0.02),
                    .noise(.lowPass, 4500, q: 0.7, level: 0.5, decay: 0.008),
                ], drive: 2.2, gain: 0.313_5),
            .kick2: DrumDescription(
                [
                    .sine(320, to: 58, in: 0.08, level: 1, decay: 0.35, hold: 0.015),
                    .noise(.highPass, 1500, q: 0.7, level: 0.5, decay: 0.01),
                ], drive: 3, gain: 0.316_8),
            .lowTom: DrumDescription(
                [
                    .sine(165, to: 92, in: 0.14, level: 1, decay: 0.45),
                    .sine(250, to: 140, in: 0.14, level: 0.4, decay: 0.25),
                    .noise(.lowPass, 2500, q: 0.7, level: 0.12, decay: 0.03),
                ], gain: 0.320_3),
            .snare: DrumDescription(
                [
                    .sine(290, to: 185, in: 0.035, level: 0.7, decay: 0.13),
                    .sine(480, to: 330, in: 0.035, level: 0.35, decay: 0.09),
                    .noise(.highPass, 900, q: 0.7, level: 0.75, decay: 0.2),
                    .noise(.lowPass, 6000, q: 0.7, level: 0.4, decay: 0.05),
                ], gain: 0.388_8),
            .snare2: DrumDescription(
                [
                    .sine(340, to: 215, in: 0.035, level: 0.6, decay: 0.1),
                    .sine(560, to: 370, in: 0.035, level: 0.3, decay: 0.07),
                    .noise(.highPass, 2000, q: 0.7, level: 0.9, decay: 0.28),
                ], gain: 0.320_6),
            .rimshot: DrumDescription(
                [
                    .sine(1050, to: 1020, in: 0.01, level: 0.5, decay: 0.03),
                    .sine(530, to: 500, in: 0.01, level: 0.6, decay: 0.035),
                    .noise(.bandPass, 2600, q: 1.5, level: 0.5, decay: 0.02),
                ], drive: 2, gain: 0.309_9),
            .clap: DrumDescription(
                [
                    .noise(.bandPass, 1250, q: 1, level: 1, decay: 0.028, bursts: 4, every: 0.009_5),
                    .noise(.bandPass, 1250, q: 1, level: 0.6, decay: 0.2, attack: 0.036),
                ], gain: 0.959_2),
            .closedHat: DrumDescription(
                [
                    .metal(.highPass, 8000, q: 0.8, level: 0.55, decay: 0.06),
                    .noise(.highPass, 8500, q: 0.8, level: 0.6, decay: 0.07),
                ], gain: 0.312_6),
            .openHat: DrumDescription(
                [
                    .metal(.highPass, 7500, q: 0.8, level: 0.55, decay: 0.45),
                    .noise(.highPass, 8000, q: 0.8, level: 0.5, decay: 0.4),
                ], gain: 0.298_6),
            .crash: DrumDescription(
                [
                    .metal(.highPass, 5000, q: 0.7, level: 0.7, decay: 1.3),
                    .noise(.highPass, 5500, q: 0.7, level: 0.7, decay: 1.1),
                ], gain: 0.246_2),
            .ride: DrumDescription(
                [
                    .metal(.bandPass, 6200, q: 1.5, level: 0.8, decay: 1.2),
                    .noise(.highPass, 9000, q: 0.7, level: 0.15, decay: 0.8),
                    .sine(870, to: 870, in: 1, level: 0.1, decay: 0.5),
                ], gain: 0.386_6),
            .cowbell: DrumDescription(
                [
                    .square(562, level: 0.5, decay: 0.06), .square(845, level: 0.5, decay: 0.06),
                    .square(562, level: 0.22, decay: 0.25), .square(845, level: 0.22, decay: 0.25),
                ], bandPass: (1800, 0.8), gain: 0.298),
        ])

    static let compuRhythm = KitDescription(
        metal: [316, 437, 593, 811, 1017, 1301],
        drums: [
            .kick: DrumDescription([.sine(95, to: 68, in: 0.03, level: 1, decay: 0.2)], drive: 1.2, gain: 0.541_1),
            .kick2: DrumDescription([.sine(85, to: 62, in: 0.03, level: 1, decay: 0.26)], drive: 1.2, gain: 0.498),
            .lowTom: DrumDescription([.sine(190, to: 175, in: 0.05, level: 1, decay: 0.18)], gain: 0.355_3),
            .snare: DrumDescription(
                [
                    .sine(255, to: 240, in: 0.03, level: 0.5, decay: 0.07),
                    .noise(.bandPass, 3200, q: 0.6, level: 1, decay: 0.12),
                ], gain: 0.499_7),
            .snare2: DrumDescription([.noise(.bandPass, 4200, q: 0.7, level: 1, decay: 0.18)], gain: 0.448),
            .rimshot: DrumDescription(
                [
                    .sine(1750, to: 1750, in: 1, level: 0.8, decay: 0.022),
                    .sine(2450, to: 2450, in: 1, level: 0.3, decay: 0.015),
                ], gain: 0.302_3),
            .clap: DrumDescription(
                [.noise(.bandPass, 1500, q: 1.2, level: 1, decay: 0.1, bursts: 2, every: 0.014)], gain: 0.757_1),
            .closedHat: DrumDescription([.noise(.bandPass, 8000, q: 1.2, level: 1, decay: 0.045)], gain: 0.226_1),
            .openHat: DrumDescription(
                [.noise(.bandPass, 7500, q: 1, level: 1, decay: 0.2, attack: 0.004)], gain: 0.193_1),
            .crash: DrumDescription(
                [
                    .noise(.bandPass, 6000, q: 0.8, level: 1, decay: 0.55, attack: 0.003),
                    .metal(.bandPass, 5000, q: 2, level: 0.3, decay: 0.4),
                ], gain: 0.235_2),
            .ride: DrumDescription(
                [
                    .metal(.bandPass, 5500, q: 2, level: 1, decay: 0.3),
                    .noise(.bandPass, 8000, q: 1, level: 0.3, decay: 0.15),
                ], gain: 0.392_6),
            .cowbell: DrumDescription(
                [.square(800, level: 0.6, decay: 0.12), .square(1180, level: 0.35, decay: 0.09)], bandPass: (2200, 1.2),
                gain: 0.318_6),
        ])

    static let industrial = KitDescription(
        metal: [311, 457, 673, 887, 1213, 1549],
        drums: [
            .kick: DrumDescription(
                [
                    .sine(420, to: 46, in: 0.16, level: 1, decay: 0.42, hold: 0.03),
                    .noise(.bandPass, 1800, q: 0.8, level: 0.7, decay: 0.025),
                ], drive: 6, gain: 0.222_6),
            .kick2: DrumDescription(
                [
                    .sine(240, to: 38, in: 0.3, level: 1, decay: 0.7, hold: 0.04),
                    .noise(.lowPass, 900, q: 0.7, level: 0.5, decay: 0.06),
                ], drive: 8, gain: 0.181_8),
            .lowTom: DrumDescription(
                [
                    .sine(260, to: 74, in: 0.2, level: 1, decay: 0.4),
                    .metal(.bandPass, 900, q: 2, level: 0.5, decay: 0.2),
                ], drive: 4, gain: 0.168_8),
            .snare: DrumDescription(
                [
                    .sine(420, to: 165, in: 0.06, level: 0.8, decay: 0.12),
                    .noise(.bandPass, 2200, q: 0.6, level: 1, decay: 0.16),
                    .metal(.highPass, 3000, q: 0.7, level: 0.35, decay: 0.1),
                ], drive: 4, gain: 0.238_9),
            .snare2: DrumDescription(
                [
                    .noise(.bandPass, 900, q: 1.5, level: 1, decay: 0.1),
                    .noise(.highPass, 3000, q: 0.7, level: 0.8, decay: 0.3),
                ], drive: 5, gain: 0.127_4),
            .rimshot: DrumDescription(
                [
                    .metal(.bandPass, 2600, q: 4, level: 1, decay: 0.05),
                    .sine(900, to: 620, in: 0.02, level: 0.5, decay: 0.02),
                ], drive: 4, gain: 0.276_6),
            .clap: DrumDescription(
                [
                    .noise(.bandPass, 1700, q: 0.8, level: 1, decay: 0.035, bursts: 5, every: 0.008),
                    .noise(.bandPass, 2400, q: 0.8, level: 0.7, decay: 0.35, attack: 0.04),
                ], drive: 3, gain: 0.176_1),
            .closedHat: DrumDescription(
                [
                    .metal(.bandPass, 9500, q: 2.5, level: 1, decay: 0.04),
                    .noise(.highPass, 10_000, q: 0.7, level: 0.3, decay: 0.03),
                ], gain: 0.879),
            .openHat: DrumDescription(
                [
                    .metal(.bandPass, 8200, q: 2, level: 1, decay: 0.32),
                    .noise(.highPass, 9000, q: 0.7, level: 0.3, decay: 0.2),
                ], gain: 0.561_7),
            .crash: DrumDescription(
                [
                    .metal(.bandPass, 3000, q: 0.7, level: 0.8, decay: 1.6),
                    .noise(.bandPass, 5200, q: 0.6, level: 0.8, decay: 0.9),
                ], drive: 3, gain: 0.099),
            .ride: DrumDescription(
                [
                    .metal(.bandPass, 4100, q: 5, level: 1, decay: 0.9),
                    .metal(.bandPass, 6700, q: 5, level: 0.7, decay: 0.6),
                ], gain: 0.442_9),
            .cowbell: DrumDescription(
                [.metal(.bandPass, 1213, q: 10, level: 1, decay: 0.25), .square(417, level: 0.4, decay: 0.1)], drive: 3,
                gain: 0.123_8),
        ])
}
