import Engine
import Music

extension Score {
    /// What the engine needs to play a document.
    public init(_ document: Document) {
        let pattern = document.pattern
        let sounding = pattern.soundingCells
        let silent = TrackScore(isSilent: true, gain: 1, left: 1, right: 1)
        let cells = InlineArray<128, UInt32> { index in
            sounding[Track(rawValue: index / Cells.stepCount)!, index % Cells.stepCount].bits
        }
        self.init(
            cells: cells, length: Int32(pattern.length), bpm: pattern.tempo.bpm, swing: pattern.swing,
            tracks: InlineArray(repeating: silent))
        for track in Track.allCases {
            let pan = PanFactors(document.number(.pan, track))
            tracks[track.rawValue] = TrackScore(
                isSilent: document.isSilent(track), gain: Decibels.factor(document.number(.gain, track)),
                left: pan.left, right: pan.right)
        }
    }
}
