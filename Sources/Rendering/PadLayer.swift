import Grid
import Music

/// Columns 40 to 43: the pads, and above them how near the next launch point is.
enum PadLayer {
    private static let sceneColor = Color(0xcccccc)
    private static let progress = Color(0xaaaaaa)
    private static let pickedUp = Alpha.percent(60)

    static func draw(_ scene: Scene, into frame: inout Frame) {
        drawProgress(scene, into: &frame)
        let looks = Looks(of: scene)
        for bank in SlotBank.all {
            let color = color(of: bank)
            for index in 0..<Slot.count {
                let pad = Pad(bank, index)
                let column = Layout.column(of: pad)
                let (rows, alpha) = (Layout.rows(of: pad), looks.alpha(of: pad))
                frame.fill(columns: column...column, rows: rows, with: color.over(.background, alpha: alpha))
                guard scene.pickedUp.contains(pad) else { continue }
                for row in rows { frame.overlay(.white, alpha: pickedUp, column: column, row: row) }
            }
        }
    }

    private static func color(of bank: SlotBank) -> Color {
        switch bank {
        case .track(let track): Palette.color(of: track)
        case .scenes: sceneColor
        }
    }

    /// Column 40 + i is lit when i quarters of the way from one launch point to the next are done.
    private static func drawProgress(_ scene: Scene, into frame: inout Frame) {
        guard scene.isPlaying, scene.launches.isQueued, let playhead = scene.playhead else { return }
        let (steps, total) = scene.document.launchQuantum.way(
            step: playhead.step, songStep: playhead.songStep, length: scene.document.pattern.length)
        for place in 0..<Layout.padColumns.count where 4 * steps >= place * total {
            frame[Layout.padColumns.lowerBound + place, Layout.markerRow] = progress
        }
    }
}

extension PadLayer {
    /// What decides how pads look.
    private struct Looks {
        let scene: Scene
        let filled: [[Bool]]
        /// Whether what is queued is lit now.
        let isLit: Bool

        init(of scene: Scene) {
            self.scene = scene
            let pattern = scene.document.pattern
            let tracks = Track.allCases.map { track in
                (0..<Slot.count).map { pattern.isFilled(Slot(track, $0)) }
            }
            filled = tracks + [(0..<Slot.count).map { index in tracks.contains { $0[index] } }]
            isLit = scene.playhead.map { $0.step % 4 < 2 } ?? false
        }

        func alpha(of pad: Pad) -> Alpha {
            if isLit, scene.launches.queued(pad.bank) == pad.index { return .percent(100) }
            let isFilled = isFilled(pad)
            if scene.document.pattern.plays(pad.bank, pad.index) { return .percent(isFilled ? 100 : 60) }
            if scene.launches.chain(pad.bank).contains(pad.index) { return .percent(50) }
            return .percent(isFilled ? 30 : 8)
        }

        private func isFilled(_ pad: Pad) -> Bool {
            switch pad.bank {
            case .track(let track): filled[track.rawValue][pad.index]
            case .scenes: filled[Track.allCases.count][pad.index]
            }
        }
    }
}

extension LaunchQuantum {
    /// Steps since the last launch point, and from one to the next.
    fileprivate func way(step: Int, songStep: Int, length: Int) -> (steps: Int, total: Int) {
        switch self {
        case .loop: (step, length)
        case .bar: (songStep % 16, 16)
        case .beat: (songStep % 4, 4)
        case .step: (0, 1)
        }
    }
}
