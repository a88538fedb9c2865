import Grid
import Music

/// Columns 40 to 43: the pads, and above them how near the next launch point is.
enum PadLayer {
    private static let progress = Color(0xaaaaaa)
    private static let pickedUp = Alpha.percent(60)

    /// The state that determines how the pads look.
    struct PadLooks: Equatable, Sendable {
        /// In the order of all banks.
        fileprivate let banks: [BankLook]
        fileprivate let pickedUp: Set<Pad>
        fileprivate let mode: ColorMode

        init(of scene: Scene) {
            let filled = scene.document.pattern.filledSlots
            banks = SlotBank.all.map { BankLook(of: $0, filled: filled, in: scene) }
            pickedUp = scene.pickedUp
            mode = scene.document.colorMode
        }
    }

    static func draw(_ looks: PadLooks, into frame: inout Frame) {
        for (bank, look) in zip(SlotBank.all, looks.banks) {
            for index in 0..<Slot.count {
                let pad = Pad(bank, index)
                let column = Layout.column(of: pad)
                frame.fill(
                    columns: column...column, rows: Layout.rows(of: pad),
                    with: Palette.color(of: bank, look.state(of: index), in: looks.mode))
            }
        }
        for pad in looks.pickedUp {
            for row in Layout.rows(of: pad) {
                frame.overlay(.white, alpha: pickedUp, column: Layout.column(of: pad), row: row)
            }
        }
    }

    /// Column 40 + i is lit when i quarters of the way from one launch point to the next are done.
    static func drawProgress(_ scene: Scene, into frame: inout Frame) {
        guard scene.isPlaying, scene.launches.isQueued, let playhead = scene.playhead else { return }
        let songStep = Int64(playhead.songStep)
        let whole = Loop(length: scene.document.pattern.length, origin: songStep - Int64(playhead.step))
        let loop = scene.document.launchQuantum.loop(in: whole)
        for place in 0..<Layout.padColumns.count where 4 * loop.step(at: songStep) >= place * loop.length {
            frame[Layout.padColumns.lowerBound + place, Layout.markerRow] = progress
        }
    }
}

/// The state that determines how the pads of a bank look.
private struct BankLook: Equatable {
    /// A bit for each pad that has notes.
    private let filled: UInt8
    /// A bit for each pad of a chain.
    private let chained: UInt8
    private let playing: Int?
    /// The queued pad, while it is lit.
    private let lit: Int?

    /// - Parameter filled: The slots that have notes.
    init(of bank: SlotBank, filled: [Slot], in scene: Scene) {
        let tracks = bank.tracks
        self.filled = filled.reduce(0) { tracks.contains($1.track) ? $0 | 1 << UInt8($1.index) : $0 }
        let index = scene.document.pattern.playing[tracks[0]].index
        playing = tracks.allSatisfy { scene.document.pattern.playing[$0].index == index } ? index : nil
        chained = scene.launches.chain(bank).reduce(0) { $0 | 1 << UInt8($1) }
        let isLit = scene.playhead.map { $0.step % 4 < 2 } ?? false
        lit = isLit ? scene.launches.queued(bank) : nil
    }

    func state(of index: Int) -> PadState {
        let isFilled = filled >> UInt8(index) & 1 == 1
        if index == lit { return .lit }
        if index == playing { return isFilled ? .lit : .emptyPlaying }
        if chained >> UInt8(index) & 1 == 1 { return .chained }
        return isFilled ? .filled : .empty
    }
}
