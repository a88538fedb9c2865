import Music

// The second 808 and 909, whose hats and cymbals are noise beside the metal, and whose kicks are those of the machines. Levels
// as in Kits.swift.

extension KitDescription {
    static let eightOhEightTwo = KitDescription(
        metal: [205.3, 304.4, 369.6, 522.7, 540, 800],
        drums: [
            .kick: DrumDescription(
                [
                    .sine(69, to: 51, in: 0.3, level: 1, decay: 0.86, hold: 0.015),
                    .noise(.lowPass, 2500, q: 0.7, level: 0.35, decay: 0.012),
                ], drive: 1.5, gain: 0.346_9),
            .kick2: DrumDescription(
                [
                    .sine(69, to: 47, in: 0.4, level: 1, decay: 0.98, hold: 0.015),
                    .noise(.lowPass, 1200, q: 0.7, level: 0.25, decay: 0.012),
                ], drive: 1.3, gain: 0.351_4),
            .lowTom: DrumDescription(
                [
                    .sine(125, to: 88, in: 0.1, level: 1, decay: 0.42),
                    .noise(.lowPass, 900, q: 0.7, level: 0.1, decay: 0.15),
                ], gain: 0.359_6),
            .snare: DrumDescription(
                [
                    .sine(190, to: 178, in: 0.05, level: 0.55, decay: 0.16),
                    .sine(345, to: 330, in: 0.05, level: 0.35, decay: 0.1),
                    .noise(.highPass, 1800, q: 0.7, level: 0.8, decay: 0.18),
                ], gain: 0.413_4),
            .snare2: DrumDescription(
                [
                    .sine(215, to: 200, in: 0.05, level: 0.5, decay: 0.14),
                    .sine(385, to: 370, in: 0.05, level: 0.35, decay: 0.09),
                    .noise(.highPass, 2600, q: 0.7, level: 0.9, decay: 0.18),
                ], gain: 0.397_4),
            .rimshot: DrumDescription(
                [
                    .sine(1680, to: 1667, in: 0.01, level: 0.6, decay: 0.03),
                    .sine(470, to: 455, in: 0.01, level: 0.6, decay: 0.04),
                    .noise(.bandPass, 3500, q: 1, level: 0.3, decay: 0.008),
                ], gain: 0.391_9),
            .clap: DrumDescription(
                [
                    .noise(.bandPass, 1100, q: 1.4, level: 1, decay: 0.03, bursts: 3, every: 0.01),
                    .noise(.bandPass, 1100, q: 1.4, level: 0.47, decay: 0.22, attack: 0.03),
                ], gain: 1.537_3),
            .closedHat: DrumDescription(
                [
                    .metal(.highPass, 7000, q: 0.9, level: 1, decay: 0.11),
                    .noise(.highPass, 7000, q: 0.8, level: 0.16, decay: 0.1),
                ], gain: 0.532_5),
            .openHat: DrumDescription(
                [
                    .metal(.highPass, 7000, q: 0.9, level: 1, decay: 0.72),
                    .noise(.highPass, 7000, q: 0.8, level: 0.18, decay: 0.72),
                ], gain: 0.392_8),
            .crash: DrumDescription(
                [
                    .metal(.bandPass, 3440, q: 1.2, level: 0.6, decay: 1.4),
                    .metal(.highPass, 7000, q: 0.9, level: 0.5, decay: 1.1),
                    .noise(.highPass, 6000, q: 0.7, level: 0.5, decay: 1.1),
                ], gain: 0.34),
            .ride: DrumDescription(
                [
                    .metal(.bandPass, 5200, q: 1.5, level: 0.6, decay: 0.9),
                    .metal(.highPass, 8500, q: 0.9, level: 0.4, decay: 0.6),
                    .noise(.highPass, 8000, q: 0.7, level: 0.3, decay: 0.6),
                ], gain: 0.387_4),
            .cowbell: DrumDescription(
                [
                    .square(540, level: 0.5, decay: 0.05),
                    .square(800, level: 0.5, decay: 0.05),
                    .square(540, level: 0.3, decay: 0.35),
                    .square(800, level: 0.3, decay: 0.35),
                ], bandPass: (1400, 0.9), gain: 0.245_6),
        ])

    static let nineOhNineTwo = KitDescription(
        metal: [263, 400, 421, 474, 587, 845],
        drums: [
            .kick: DrumDescription(
                [
                    .sine(105, to: 49, in: 0.16, bend: (230, 0.035), level: 1, decay: 0.55, hold: 0.02),
                    .noise(.lowPass, 4500, q: 0.7, level: 0.5, decay: 0.008),
                    .sine(900, to: 180, in: 0.006, level: 0.35, decay: 0.012),
                ], drive: 2.2, gain: 0.322_8),
            .kick2: DrumDescription(
                [
                    .sine(120, to: 56, in: 0.12, bend: (320, 0.03), level: 1, decay: 0.36, hold: 0.015),
                    .noise(.highPass, 1500, q: 0.7, level: 0.5, decay: 0.01),
                    .sine(1200, to: 220, in: 0.006, level: 0.3, decay: 0.01),
                ], drive: 2.6, gain: 0.341_6),
            .lowTom: DrumDescription(
                [
                    .sine(165, to: 92, in: 0.14, level: 1, decay: 0.45),
                    .sine(250, to: 140, in: 0.14, level: 0.4, decay: 0.25),
                    .noise(.lowPass, 2500, q: 0.7, level: 0.12, decay: 0.03),
                ], gain: 0.318_6),
            .snare: DrumDescription(
                [
                    .sine(290, to: 185, in: 0.035, level: 0.7, decay: 0.13),
                    .sine(480, to: 330, in: 0.035, level: 0.35, decay: 0.09),
                    .noise(.highPass, 900, q: 0.7, level: 0.75, decay: 0.5),
                    .noise(.lowPass, 6000, q: 0.7, level: 0.4, decay: 0.05),
                ], gain: 0.279_7),
            .snare2: DrumDescription(
                [
                    .sine(340, to: 215, in: 0.035, level: 0.6, decay: 0.1),
                    .sine(560, to: 370, in: 0.035, level: 0.3, decay: 0.07),
                    .noise(.highPass, 2000, q: 0.7, level: 0.9, decay: 0.62),
                ], gain: 0.228_7),
            .rimshot: DrumDescription(
                [
                    .sine(1050, to: 1020, in: 0.01, level: 0.5, decay: 0.03),
                    .sine(530, to: 500, in: 0.01, level: 0.6, decay: 0.035),
                    .noise(.bandPass, 2600, q: 1.5, level: 0.5, decay: 0.02),
                ], drive: 2, gain: 0.308_6),
            .clap: DrumDescription(
                [
                    .noise(.bandPass, 1250, q: 1, level: 1, decay: 0.028, bursts: 4, every: 0.009_5),
                    .noise(.bandPass, 1250, q: 1, level: 0.5, decay: 0.21, attack: 0.036),
                ], gain: 1.061_7),
            .closedHat: DrumDescription(
                [
                    .metal(.highPass, 7500, q: 0.8, level: 0.9, decay: 0.11),
                    .noise(.highPass, 7500, q: 0.8, level: 0.3, decay: 0.1),
                ], gain: 0.430_5),
            .openHat: DrumDescription(
                [
                    .metal(.highPass, 7000, q: 0.8, level: 0.8, decay: 0.72),
                    .noise(.highPass, 7500, q: 0.8, level: 0.3, decay: 0.72),
                ], gain: 0.329),
            .crash: DrumDescription(
                [
                    .metal(.highPass, 5000, q: 0.7, level: 0.6, decay: 1.4),
                    .noise(.highPass, 5500, q: 0.7, level: 0.8, decay: 1.3),
                ], gain: 0.203_2),
            .ride: DrumDescription(
                [
                    .metal(.bandPass, 6200, q: 1.5, level: 0.8, decay: 1.2),
                    .noise(.highPass, 8000, q: 0.7, level: 0.3, decay: 0.9),
                    .sine(870, to: 870, in: 1, level: 0.1, decay: 0.5),
                ], gain: 0.283_5),
            .cowbell: DrumDescription(
                [
                    .square(562, level: 0.5, decay: 0.06),
                    .square(845, level: 0.5, decay: 0.06),
                    .square(562, level: 0.22, decay: 0.25),
                    .square(845, level: 0.22, decay: 0.25),
                ], bandPass: (1800, 0.8), gain: 0.298_4),
        ])
}
