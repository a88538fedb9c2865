import Music

extension Score {
    /// What the engine needs to play a document.
    public init(_ document: Document) {
        self.init(parameters: ParameterBlock { document.number($0, $1) })
        let sounding = document.pattern.soundingCells
        for track in Track.allCases {
            for step in 0..<Cells.stepCount {
                cells[track.rawValue * Cells.stepCount + step] = sounding[track, step].bits
            }
            isSilent[track.rawValue] = document.isSilent(track)
        }
    }
}
