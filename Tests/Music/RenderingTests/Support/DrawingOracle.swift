import Grid
import Music
import Rendering

/// A second implementation of the page on the grid, cell by cell and in whole numbers: slow, and independent of the
/// renderer.
struct DrawingOracle {
    private let scene: Scene
    private let now: Duration
    private let document: Document
    private let length: Int
    /// By track; a track without its own length has the pattern's.
    private let lengths: [Int]
    /// The cells with and without headless sustain cells: by track, then note, then step.
    private var written: [[[Velocity]]] = []
    private var sounding: [[[Velocity]]] = []
    private let background: UInt32 = 0x0a0a0a

    init(scene: Scene, now: Duration) {
        self.scene = scene
        self.now = now
        document = scene.document
        length = document.pattern.length
        let pattern = document.pattern
        lengths = Track.allCases.map { pattern[$0].length ?? pattern.length }
        written = Track.allCases.map { track in
            (0..<12).map { note in (0..<32).map { pattern[track, note, $0] } }
        }
        sounding = written
        for track in 0..<4 {
            for note in 0..<12 {
                for step in 0..<lengths[track]
                where written[track][note][step] == .sustain && run(track, note, step) == nil {
                    sounding[track][note][step] = .off
                }
            }
        }
    }

    func cells() -> [UInt32] {
        (0..<1056).map { index in
            let (x, y) = (index % 44, index / 44)
            let color =
                switch y {
                case 0: control(x)
                case 1: marker(x)
                case 2... where x > 39: pad(x, y)
                case 22, 23: held(x, isUpper: y == 22) ?? overview(x, isUpper: y == 22)
                default: x < 4 ? left(x, y) : stepCell(x, y)
                }
            return isTooltip(x, y) ? mix(0xffffff, color, 85, 100) : color
        }
    }

    private func mix(_ top: UInt32, _ under: UInt32, _ part: Int, _ whole: Int) -> UInt32 {
        [16, 8, 0].reduce(0) { rgb, shift in
            let sum = Int(top >> shift & 255) * part + Int(under >> shift & 255) * (whole - part)
            return rgb | UInt32((sum * 2 + whole) / (whole * 2)) << UInt32(shift)
        }
    }

    // MARK: Colours

    private var isSafe: Bool { document.colorMode == .safe }

    private var trackColors: [UInt32] {
        isSafe ? [0xfae10d, 0x55f9c8, 0xa4a5ff, 0xe55209] : [0xf7dc6f, 0x4ecdc4, 0x45b7d1, 0xff6b6b]
    }

    private func pitchColor(_ note: Int) -> UInt32 {
        let colors: [UInt32] = [
            0xff0000, 0xff4500, 0xff8c00, 0xffc800, 0xffff00, 0x9acd32, 0x00ff00, 0x00ffaa, 0x00ffff, 0x00aaff,
            0x0055ff, 0x8a2be2,
        ]
        let safe: [UInt32] = [
            0x470069, 0x662000, 0x2200ff, 0x5b5e56, 0x916600, 0x258393, 0xb385ff, 0xe1964f, 0x97aea3, 0xfccbff,
            0xbeffcd, 0xffff00,
        ]
        return isSafe ? safe[note] : colors[document.colorMode == .harmonic ? 7 * note % 12 : note]
    }

    private func hsl(_ hue: Double, _ saturation: Double, _ lightness: Double = 0.5) -> UInt32 {
        Color(hue: hue, saturation: saturation, lightness: lightness).rgb
    }

    /// The pads of melody, chords, bass, rhythm and scenes in safe mode: empty, with notes, in a chain, empty and playing.
    private static let safePads: [[Int: UInt32]] = [
        [8: 0x171700, 30: 0x4e4908, 50: 0x7f7415, 60: 0xad9e24],
        [8: 0x041612, 30: 0x1c4e3f, 50: 0x357e68, 60: 0x45ad8d],
        [8: 0x100d16, 30: 0x3e3b59, 50: 0x554eb4, 60: 0x7b79a4],
        [8: 0x130708, 30: 0x481c02, 50: 0x844a2f, 60: 0xa77561],
        [8: 0x121213, 30: 0x434343, 50: 0x6a6e72, 60: 0x8f96a0],
    ]

    // MARK: Rows 0 and 1

    private func control(_ x: Int) -> UInt32 {
        let pattern = document.pattern
        let root = pattern.key.root.number
        let part = Int((now / .nanoseconds(1)).rounded()) % 2_000_000_000 * 7 / 1_000_000_000
        return switch x {
        case 0:
            mix(
                isSafe ? 0 : document.colorMode == .harmonic ? 0x00aaff : 0xffffff, pitchColor(root),
                min(part, 14 - part), 14)
        case 1, 2: scene.isPlaying ? (isSafe ? 0xd02020 : 0xff4444) : (isSafe ? 0xb0ffb0 : 0x44ff44)
        case 4: document.history.undoCount > 0 ? 0x888888 : 0x333333
        case 5: document.history.redoCount > 0 ? 0x888888 : 0x333333
        case 7: pattern.key.scale == .major ? 0xffaa00 : 0x442200
        case 8: pattern.key.scale == .minor ? 0x00aaff : isSafe ? 0x292e37 : 0x002244
        case 9: pattern.key.scale == .penta ? 0xaa00ff : isSafe ? 0x320055 : 0x220044
        case 11...22: x - 11 == root ? pitchColor(root) : mix(pitchColor(x - 11), background, isSafe ? 12 : 27, 100)
        case 24: document.showsGhosts ? 0x666666 : 0x222222
        case 26, 28, 30, 32: 0x444444
        case 27: hsl(pattern.bpm, 0.7, isSafe ? 0.6 : 0.5)
        case 31 where isSafe: pitchColor([8: 0, 12: 1, 16: 2, 20: 4, 24: 6, 28: 8, 32: 11][pattern.length / 4 * 4]!)
        case 31: hsl(Double(8 * pattern.length), 0.7)
        case 34...37:
            scene.scrubChanges.map { isSafe ? pitchColor(2 * $0) : hsl(Double(360 - 60 * $0), 1) }
                ?? (scene.canCatch ? 0x335533 : 0x222222)
        case 40...43: 0x662222
        default: background
        }
    }

    private func marker(_ x: Int) -> UInt32 {
        if x < 4 { return 0x222222 }
        if x > 39 { return isProgressLit(x - 40) ? 0xaaaaaa : background }
        guard let step = visibleStep(x, of: length) else { return background }
        var color: UInt32 = step % 8 == 0 ? 0x555555 : step % 4 == 0 ? 0x333333 : 0x1a1a1a
        if let playhead = scene.playhead, playhead.step == step {
            color = playhead.startedAt.map { now - $0 < .milliseconds(100) } == true ? 0xffffff : 0xaaaaaa
        }
        return scene.isFilling ? mix(0xffaa00, color, 2, 5) : color
    }

    private func isProgressLit(_ place: Int) -> Bool {
        guard scene.isPlaying, let playhead = scene.playhead,
            Track.allCases.contains(where: { scene.launches.queued(.track($0)) != nil })
        else { return false }
        let (steps, total) =
            switch document.launchQuantum {
            // In a loop that was just shortened the step continues modulo its length.
            case .loop: (playhead.step % length, length)
            case .bar: (playhead.songStep % 16, 16)
            case .beat: (playhead.songStep % 4, 4)
            case .step: (0, 1)
            }
        return 4 * steps >= place * total
    }

    // MARK: Pads

    private func pad(_ x: Int, _ y: Int) -> UInt32 {
        let (bank, isLower) =
            switch y {
            case 2...7: (0, y > 4)
            case 8...13: (1, y > 10)
            case 14...17: (2, y > 15)
            case 18...21: (3, y > 19)
            default: (4, y == 23)
            }
        let index = x - 40 + (isLower ? 4 : 0)
        let tracks = bank < 4 ? [Track(rawValue: bank)!] : Track.allCases
        let name = bank < 4 ? SlotBank.track(tracks[0]) : .scenes
        let hasNotes = tracks.contains { document.pattern[Slot($0, index)].count > 0 }
        let plays = tracks.allSatisfy { document.pattern.playing[$0].index == index }
        var percent = plays ? (hasNotes ? 100 : 60) : hasNotes ? 30 : 8
        if !plays, scene.launches.chain(name).contains(index) { percent = 50 }
        if scene.launches.queued(name) == index, let step = scene.playhead?.step, step % 4 < 2 { percent = 100 }
        let full = bank < 4 ? trackColors[bank] : 0xcccccc
        let color = isSafe ? Self.safePads[bank][percent] ?? full : mix(full, background, percent, 100)
        return scene.pickedUp.contains(Pad(name, index)) ? mix(0xffffff, color, 60, 100) : color
    }

    /// The step whose own column this is, nil for separators and hidden steps.
    private func visibleStep(_ x: Int, of length: Int) -> Int? {
        let step: Int? =
            switch x {
            case 4...11: x - 4
            case 13...20: x - 5
            case 22...29: x - 6
            case 31...38: x - 7
            default: nil
            }
        return step.flatMap { $0 < length ? $0 : nil }
    }

    // MARK: Rows 2 to 21

    private func place(_ y: Int) -> (track: Int, line: Int, height: Int) {
        switch y {
        case 2...7: (0, y - 2, 6)
        case 8...13: (1, y - 8, 6)
        case 14...17: (2, y - 14, 4)
        default: (3, y - 18, 4)
        }
    }

    private func isSilent(_ track: Int) -> Bool {
        if let solo = document.soloedTrack { return solo.rawValue != track }
        return document.isOn(.mute, Track(rawValue: track)!)
    }

    private func isMuted(_ track: Int, _ note: Int) -> Bool {
        track == 3 && document[.mutedDrums, .rhythm].names!.contains(Drum.allCases[note].name)
    }

    private func left(_ x: Int, _ y: Int) -> UInt32 {
        let (track, line, height) = place(y)
        let color = trackColors[track]
        let isSoloed = document.soloedTrack?.rawValue == track
        switch x {
        case 0:
            if isSilent(track) { return mix(color, background, 1, 5) }
            return isSoloed ? color : mix(color, background, (2 * height - line) * 200, 2 * height * 255)
        case 1: return isSoloed ? 0xffffff : 0x333333
        case 2:
            let fromBottom = height - 1 - line
            let isLit = scene.levels[track] >= -36 + 36 * Double(fromBottom) / Double(height)
            return isLit ? color : 0x111111
        default: return lensColor(track) ?? background
        }
    }

    /// A sustain cell's index in its run, and the run's length; nil when it has no head.
    private func run(_ track: Int, _ note: Int, _ step: Int) -> (index: Int, count: Int)? {
        let (steps, length) = (written[track][note], lengths[track])
        var index = 0
        var head = (step + length - 1) % length
        while steps[head] == .sustain {
            index += 1
            if index > 32 { return nil }
            head = (head + length - 1) % length
        }
        if steps[head] == .off { return nil }
        var count = 0
        while steps[(head + 1 + count) % length] == .sustain { count += 1 }
        return (index, count)
    }

    /// The strongest of the given notes, of equals the lowest.
    private func strongest(_ notes: [(note: Int, velocity: Velocity)]) -> (note: Int, velocity: Velocity)? {
        for wanted in [Velocity.accent, .normal, .sustain] {
            let found = notes.filter { $0.velocity == wanted }.min { $0.note < $1.note }
            if let found { return found }
        }
        return nil
    }

    private func stepCell(_ x: Int, _ y: Int) -> UInt32 {
        let (track, line, height) = place(y)
        guard let step = visibleStep(x, of: lengths[track]) else { return background }
        let notes = (0..<12).filter { $0 * height / 12 == height - 1 - line }
        var color = note(in: notes, of: track, at: step, fromBottom: height - 1 - line)
        if scene.playhead?.trackSteps[track] == step { color = mix(0xffffff, color, 1, 5) }
        if let percent = pulse(in: notes, of: track, at: step) { color = mix(0xffffff, color, percent, 100) }
        for preview in scene.previews {
            let here = preview.filter {
                $0.track.rawValue == track && $0.step == step && notes.contains($0.note)
            }
            if let shown = strongest(here.map { ($0.note, $0.velocity) }) {
                color = mix(lensColor(track) ?? pitchColor(shown.note), color, 22, 100)
            }
        }
        return color
    }

    private func note(in notes: [Int], of track: Int, at step: Int, fromBottom row: Int) -> UInt32 {
        let key = document.pattern.key
        let isInScale = notes.contains { note in
            key.scale.intervals.contains { (key.root.number + $0) % 12 == note }
        }
        let base: UInt32 = step % 8 == 0 ? 0x111111 : isInScale || track == 3 ? background : 0x060606
        if let lens = lensColor(track) {
            guard let (part, whole) = lensAlpha(notes, of: track, at: step, fromBottom: row) else { return base }
            let color = mix(lens, base, part, whole)
            let standing = notes.filter { sounding[track][$0][step] != .off }
            let heads = standing.filter { sounding[track][$0][step] != .sustain }
            let isUnheard = (heads.isEmpty ? standing : heads).allSatisfy { isMuted(track, $0) }
            return isSilent(track) || isUnheard && scene.lenses[Track(rawValue: track)!]!.rawValue < 5
                ? mix(color, base, 2, 5) : color
        }
        let heard = notes.filter { !isMuted(track, $0) }.map { ($0, sounding[track][$0][step]) }
        guard let shown = strongest(heard) ?? strongest(notes.map { ($0, sounding[track][$0][step]) }) else {
            let other = (0..<4).first { other in
                other != track && step < lengths[other] && notes.contains { sounding[other][$0][step] != .off }
            }
            guard document.showsGhosts, let other else { return base }
            return mix(trackColors[other], base, 34, 255)
        }
        var color = pitchColor(shown.note)
        if shown.velocity == .accent { color = mix(0xffffff, color, 20, 100) }
        if shown.velocity == .sustain, let (index, count) = run(track, shown.note, step) {
            color =
                count == 1 ? mix(color, base, 4, 5) : mix(color, base, 80 * (count - 1) - 55 * index, 100 * (count - 1))
        }
        return isSilent(track) || isMuted(track, shown.note) ? mix(color, base, 2, 5) : color
    }

    // MARK: Lenses

    private static let tables: [[Int]] = [
        [0, -3, -6, -9, -12, -18], [100, 90, 75, 50, 25, 10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 36, 37, 38, 39],
        [1, 2, 3, 4, 6, 8], [0, 12, 25, 37, 50, -12, -25, -37],
    ]

    private func lensColor(_ track: Int) -> UInt32? {
        let colors: [UInt32] =
            isSafe
            ? [0xe2ecff, 0xad1400, 0x00b876, 0x8d1963, 0x608299, 0x76766e, 0x8745ff]
            : [0xffffff, 0xffaa00, 0x00ffaa, 0xff0088, 0x00aaff, 0x888888, 0x8844ff]
        return scene.lenses[Track(rawValue: track)!].map { $0.rawValue < 7 ? colors[$0.rawValue] : trackColors[track] }
    }

    /// How strong the lens's colour is: as part and whole.
    private func lensAlpha(_ notes: [Int], of track: Int, at step: Int, fromBottom row: Int) -> (Int, Int)? {
        let slot = document.pattern[Track(rawValue: track)!]
        let (lens, length) = (scene.lenses[Track(rawValue: track)!]!.rawValue, lengths[track])
        if lens == 5 { return (step == length - 1 ? 100 : 25, 100) }
        if lens == 6 {
            let speeds = track < 2 ? ["1/4", "1/2", "2/3", "1", "3/2", "2"] : ["1/4", "1/2", "1", "2"]
            return (speeds[row] == slot.speed.rawValue ? 100 : 25, 100)
        }
        if lens > 6 { return motionAlpha(lens - 7, of: track, at: step, fromBottom: row) }
        let value = NoteValue.allCases[lens]
        let heads = notes.filter { sounding[track][$0][step] == .normal || sounding[track][$0][step] == .accent }
        let sustains = notes.filter { sounding[track][$0][step] == .sustain }
        let values: [Int]
        if heads.isEmpty {
            values = sustains.map { note in
                var head = step
                while written[track][note][head] == .sustain { head = (head + length - 1) % length }
                return slot[head][whole: note][value]
            }
        } else {
            values = heads.map { slot[step][whole: $0][value] }
        }
        guard !values.isEmpty else { return nil }
        let table = Self.tables[lens]
        let place = values.map { table.firstIndex(of: $0)! }.first { $0 != 0 } ?? 0
        let parts = table.count - 2
        return (place == 0 ? 25 * parts : 45 * parts + 55 * (place - 1), 100 * parts * (heads.isEmpty ? 2 : 1))
    }

    /// Points in their rows, the lines between them in the nearest rows.
    private func motionAlpha(_ place: Int, of track: Int, at step: Int, fromBottom row: Int) -> (Int, Int)? {
        let parameter = [Parameter.gain, .pan, .tone, .reverb, .delay, .width, .filter, .drive, .lfoDepth][place]
        let (low, high) = [
            (-24.0, 6.0), (-1, 1), (-24, 24), (-36, 0), (-36, 0), (0, 1), (-1, 1), (0, 1), (0, 1),
        ][place]
        let (length, height) = (lengths[track], track < 2 ? 6 : 4)
        let points = document.pattern[Track(rawValue: track)!].motions[parameter].filter { $0.step < length }
        guard !points.isEmpty else { return nil }
        func distance(_ from: Int, _ to: Int) -> Int { (to - from + length) % length }
        let before = points.min { distance($0.step, step) < distance($1.step, step) }!
        let after = points.min { distance(step, $0.step) < distance(step, $1.step) }!
        let whole = distance(before.step, step) + distance(step, after.step)
        let part = whole == 0 ? 0 : Double(distance(before.step, step)) / Double(whole)
        let value = before.value + part * (after.value - before.value)
        let nearest = ((min(max(value, low), high) - low) / (high - low) * Double(height - 1)).rounded()
        return Int(nearest) == row ? (before.step == step ? 100 : 25, 100) : nil
    }

    private func pulse(in notes: [Int], of track: Int, at step: Int) -> Int? {
        guard scene.playhead != nil else { return nil }
        let pulses = scene.pulses.filter { pulse in
            pulse.track.rawValue == track && pulse.step == step
                && (Duration.zero..<Duration.milliseconds(100)).contains(now - pulse.startedAt)
        }
        let standing = notes.filter { sounding[track][$0][step] != .off }
        let started = pulses.flatMap { pulse in standing.map { pulse.notes[$0] } }
        return started.contains(.accent) ? 30 : started.contains(.normal) ? 15 : nil
    }

    // MARK: Overview and tooltip

    private func overview(_ x: Int, isUpper: Bool) -> UInt32 {
        if x < 4 { return isUpper ? 0x222222 : 0x111111 }
        guard let step = visibleStep(x, of: length) else { return background }
        for track in 0..<4 where !isSilent(track) && step < lengths[track] {
            if let lowest = (0..<12).first(where: { sounding[track][$0][step] != .off && !isMuted(track, $0) }) {
                return isUpper ? trackColors[track] : pitchColor(lowest)
            }
        }
        return isUpper ? (scene.playhead?.step == step ? 0x222222 : background) : 0x050505
    }

    /// A cell of the overview under a punch-in, nil if there is none.
    private func held(_ x: Int, isUpper: Bool) -> UInt32? {
        let bars = scene.punchBars.filter { bar in
            bar.isRhythmAlone != isUpper && x >= 4 + 9 * bar.zone && x < 12 + 9 * bar.zone
                && Double(x - 4 - 9 * bar.zone) <= bar.amount * 8
        }
        guard !bars.isEmpty else { return nil }
        return mix(isUpper ? 0xffffff : trackColors[3], overview(x, isUpper: isUpper), 30, 100)
    }

    private func isTooltip(_ x: Int, _ y: Int) -> Bool {
        guard let (tooltip, shownAt) = scene.tooltip, shownAt.map({ now - $0 < .milliseconds(1200) }) ?? true
        else { return false }
        let text = Array(tooltip.text.prefix(11))
        let column = x - (44 - (4 * text.count - 1)) / 2
        guard text.indices.contains(column / 4), column >= 0, column % 4 < 3, (0..<5).contains(y - tooltip.row)
        else { return false }
        return PixelFont.glyph(of: text[column / 4])?.isLit(column: column % 4, row: y - tooltip.row) ?? false
    }
}
