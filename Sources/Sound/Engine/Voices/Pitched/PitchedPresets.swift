// The presets of the pitched tracks, by name. All but those that `Music.Track.soundNames` lists first are equally loud: K-weighted (ITU-R BS.1770) melody is at -20, chords at -24, bass at -21, which the tests measure.

extension PitchedPreset {
    static let melody: [String: PitchedPreset] = [
        "Sine": PitchedPreset(.tables(Oscillator(.sine, ratio: 1, level: 1), nil, Sweep(2000)), .first, gain: 0.16),
        "Pluck": PitchedPreset(
            .tables(
                Oscillator(.saw, ratio: 0.997_692, level: 0.65),
                Oscillator(.saw, ratio: 1.002_313, level: 0.45, from: 0.25),
                Sweep(6500, to: 900, in: 0.35, q: 1, tracking: 0.5, normal: 0.5)),
            Contour(attack: 0.002, sustain: 0.35, in: 0.9, release: 0.15), gain: 0.493_8),
        "Lead": PitchedPreset(
            .tables(
                Oscillator(.saw, ratio: 0.995_965, level: 0.6),
                Oscillator(.saw, ratio: 1.004_052, level: 0.4, from: 0.31),
                Sweep(5200, to: 2600, in: 0.5, q: 0.9, tracking: 0.3, normal: 0.6)),
            Contour(attack: 0.008, sustain: 0.8, in: 0.4, release: 0.12), gain: 0.448_2),
        "Pulse": PitchedPreset(
            .tables(
                Oscillator(.saw, ratio: 1, level: 1), Oscillator(.saw, ratio: 1, level: -1, from: 0.3),
                Sweep(3200, to: 3200, in: 0, q: 0.707_1, tracking: 0, normal: 1)),
            Contour(attack: 0.003, sustain: 0.7, in: 0.3, release: 0.06), gain: 0.208_8),
        "Bell": PitchedPreset(
            .modulated(Modulator(ratio: 3.5, 2.2, to: 0.15, in: 1.1, normal: 0.6)),
            Contour(attack: 0.002, sustain: 0.12, in: 1.6, release: 0.15), gain: 0.205_3),
        "Tine": PitchedPreset(
            .modulated(Modulator(ratio: 1, 2.4, to: 0.6, in: 0.7, normal: 0.5)),
            Contour(attack: 0.002, sustain: 0.3, in: 1.8, release: 0.12), sway: 5.3, gain: 0.270_4),
        "Mallet": PitchedPreset(
            .modulated(Modulator(ratio: 4, 1.8, to: 0, in: 0.12, normal: 0.5)),
            Contour(attack: 0.001, sustain: 0.05, in: 0.7, release: 0.12), gain: 0.322_3),
        "Reed": PitchedPreset(
            .tables(
                Oscillator(.reed, ratio: 1, level: 0.8), Oscillator(.triangle, ratio: 2, level: 0.2),
                Sweep(3000, to: 1800, in: 0.25, q: 0.8, tracking: 0.6, normal: 0.6)),
            Contour(attack: 0.025, sustain: 0.9, in: 0.3, release: 0.1), gain: 0.258_9),
    ]

    static let chords: [String: PitchedPreset] = [
        "Triangle": PitchedPreset(
            .tables(Oscillator(.triangle, ratio: 1, level: 1), nil, Sweep(1500)), .first, gain: 0.16),
        "Warm pad": PitchedPreset(
            .tables(
                Oscillator(.saw, ratio: 0.995_965, level: 0.6),
                Oscillator(.saw, ratio: 1.004_052, level: 0.4, from: 0.37),
                Sweep(700, to: 1100, in: 0.8, q: 0.707_1, tracking: 0.3, normal: 1)),
            Contour(attack: 0.06, sustain: 1, in: 0.06, release: 0.15), gain: 0.346_1),
        "E-piano": PitchedPreset(
            .modulated(Modulator(ratio: 1, 2.6, to: 0.7, in: 0.8, normal: 0.5)),
            Contour(attack: 0.003, sustain: 0.35, in: 2, release: 0.15), sway: 4.7, gain: 0.168_3),
        "Organ": PitchedPreset(
            .tables(
                Oscillator(.organ, ratio: 1, level: 0.8), Oscillator(.sine, ratio: 3, level: 0.15),
                Sweep(4500, to: 4500, in: 0, q: 0.707_1, tracking: 0, normal: 1)),
            Contour(attack: 0.004, sustain: 1, in: 0.06, release: 0.05), sway: 5.8, gain: 0.181_4),
        "Stab": PitchedPreset(
            .tables(
                Oscillator(.saw, ratio: 0.997_116, level: 0.6),
                Oscillator(.saw, ratio: 1.002_892, level: 0.4, from: 0.21),
                Sweep(5500, to: 600, in: 0.28, q: 1.6, tracking: 0.4, normal: 0.5)),
            Contour(attack: 0.002, sustain: 0.35, in: 0.5, release: 0.1), gain: 0.378_7),
        "Strings": PitchedPreset(
            .tables(
                Oscillator(.saw, ratio: 0.994_815, level: 0.6),
                Oscillator(.saw, ratio: 1.005_212, level: 0.4, from: 0.42),
                Sweep(2800, to: 2800, in: 0, q: 0.707_1, tracking: 0.3, normal: 1)),
            Contour(attack: 0.05, sustain: 0.95, in: 0.3, release: 0.15), gain: 0.302_1),
        "Glass": PitchedPreset(
            .modulated(Modulator(ratio: 2, 2.4, to: 0.5, in: 1.2, normal: 0.6)),
            Contour(attack: 0.004, sustain: 0.3, in: 1.6, release: 0.15), sway: 4.2, gain: 0.138_3),
        "Hollow": PitchedPreset(
            .tables(
                Oscillator(.square, ratio: 1, level: 0.7),
                Oscillator(.square, ratio: 2.003_469, level: 0.3, from: 0.25),
                Sweep(1600, to: 750, in: 0.5, q: 0.8, tracking: 0.4, normal: 0.6)),
            Contour(attack: 0.008, sustain: 0.8, in: 0.5, release: 0.12), gain: 0.152_8),
    ]

    static let bass: [String: PitchedPreset] = [
        "Saw": PitchedPreset(.tables(Oscillator(.saw, ratio: 1, level: 1), nil, Sweep(400)), .first, gain: 0.16),
        "Sub+": PitchedPreset(
            .tables(
                Oscillator(.sub, ratio: 1, level: 1), nil,
                Sweep(2200, to: 900, in: 0.15, q: 0.707_1, tracking: 0, normal: 0.6)),
            Contour(attack: 0.004, sustain: 0.9, in: 0.3, release: 0.08), gain: 0.276_2),
        "Acid": PitchedPreset(
            .tables(
                Oscillator(.saw, ratio: 1, level: 1), nil,
                Sweep(2600, to: 260, in: 0.35, q: 5, tracking: 0.3, normal: 0.45)),
            Contour(attack: 0.003, sustain: 0.8, in: 0.4, release: 0.05), gain: 0.222_9),
        "Round": PitchedPreset(
            .tables(
                Oscillator(.saw, ratio: 1, level: 0.5), Oscillator(.square, ratio: 1, level: 0.45),
                Sweep(2200, to: 650, in: 0.3, q: 1.1, tracking: 0.4, normal: 0.6)),
            Contour(attack: 0.004, sustain: 0.85, in: 0.4, release: 0.08), gain: 0.238_4),
        "FM bass": PitchedPreset(
            .modulated(Modulator(ratio: 2, 3.2, to: 0.9, in: 0.35, normal: 0.6)),
            Contour(attack: 0.003, sustain: 0.6, in: 0.9, release: 0.08), gain: 0.203_6),
        "Reese": PitchedPreset(
            .tables(
                Oscillator(.saw, ratio: 0.991_946, level: 0.65),
                Oscillator(.saw, ratio: 1.008_12, level: 0.45, from: 0.33),
                Sweep(900, to: 900, in: 0, q: 0.9, tracking: 0.2, normal: 1)),
            Contour(attack: 0.008, sustain: 1, in: 0.06, release: 0.1), gain: 0.403_4),
        "Square": PitchedPreset(
            .tables(
                Oscillator(.square, ratio: 1, level: 0.8), Oscillator(.square, ratio: 2, level: 0.25),
                Sweep(2200, to: 1200, in: 0.2, q: 0.8, tracking: 0.3, normal: 0.7)),
            Contour(attack: 0.003, sustain: 0.8, in: 0.4, release: 0.05), gain: 0.216_1),
        "Pick": PitchedPreset(
            .tables(
                Oscillator(.saw, ratio: 1, level: 1), Oscillator(.saw, ratio: 1, level: -1, from: 0.22),
                Sweep(3400, to: 520, in: 0.16, q: 1.2, tracking: 0.4, normal: 0.5)),
            Contour(attack: 0.001, sustain: 0.4, in: 0.9, release: 0.08), gain: 0.233_2),
    ]
}
