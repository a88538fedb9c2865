import Music

/// Where things are on the grid.
public enum Layout {
    public static let controlRow = 0
    public static let markerRow = 1
    /// Rows of the four tracks.
    public static let trackRows = 2...21
    /// Rows of the pattern overview: track colours above, note colours below.
    public static let overviewRows = 22...23

    public static let muteColumn = 0
    public static let soloColumn = 1
    public static let meterColumn = 2
    /// Column that shows the open lens.
    public static let lensColumn = 3
    /// Columns of the step markers.
    public static let markerColumns = firstStepColumn...(padColumns.lowerBound - 1)
    /// Column of step 0.
    public static let firstStepColumn = 4
    /// Columns of the steps, and of the bar separators between them.
    public static let stepColumns = firstStepColumn...column(ofStep: SlotNotes.stepCount - 1)
    /// Steps between two bar separators.
    public static let stepsPerBar = 8
    /// Columns of the overview in which a resting finger holds an effect: those of the steps, and what is between and
    /// beside them.
    public static let zoneColumns = markerColumns

    /// The rows of a track, top to bottom.
    public static func rows(of track: Track) -> ClosedRange<Int> {
        switch track {
        case .melody: 2...7
        case .chords: 8...13
        case .bass: 14...17
        case .rhythm: 18...21
        }
    }

    /// Whether a row of a track belongs to its upper half.
    public static func isUpperHalf(of track: Track, row: Int) -> Bool {
        row - rows(of: track).lowerBound < rows(of: track).count / 2
    }

    /// The track that a row belongs to, nil outside rows 2 to 21.
    public static func track(atRow row: Int) -> Track? {
        Track.allCases.first { rows(of: $0).contains(row) }
    }

    public static func column(ofStep step: Int) -> Int {
        firstStepColumn + step + step / stepsPerBar
    }

    /// Whether a column separates two bars: 12, 21 and 30.
    public static func isSeparator(column: Int) -> Bool {
        stepColumns.contains(column) && (column - firstStepColumn + 1).isMultiple(of: stepsPerBar + 1)
    }

    /// The step that a column belongs to, for a separator the step on its left; nil left of step 0 and right of step
    /// 31.
    public static func step(atColumn column: Int) -> Int? {
        guard stepColumns.contains(column) else { return nil }
        let offset = column - firstStepColumn
        return offset - (offset + 1) / (stepsPerBar + 1)
    }

    /// The zone of the overview that a column belongs to, 0 to 3: the steps of a bar, and the column on their right.
    public static func zone(atColumn column: Int) -> Int? {
        zoneColumns.contains(column) ? (column - firstStepColumn) / (stepsPerBar + 1) : nil
    }

    /// The columns of a zone's eight steps.
    ///
    /// - Parameter zone: 0 to 3.
    public static func columns(ofZone zone: Int) -> ClosedRange<Int> {
        let first = column(ofStep: zone * stepsPerBar)
        return first...(first + stepsPerBar - 1)
    }

    /// The notes that a row covers, lowest notes in the bottom row: two on melody and chords, three on bass and rhythm.
    ///
    /// - Parameter row: A row of the track.
    public static func notes(of track: Track, row: Int) -> ClosedRange<Int> {
        let rows = rows(of: track)
        let size = Track.noteCount / rows.count
        let lowest = (rows.upperBound - row) * size
        return lowest...(lowest + size - 1)
    }

    /// The row's primary note: the one that a tap tries first.
    ///
    /// - Parameter row: A row of the track.
    public static func primaryNote(of track: Track, row: Int) -> Int {
        let fromBottom = rows(of: track).upperBound - row
        switch track {
        case .melody, .chords: return [0, 2, 4, 7, 9, 11][fromBottom]
        case .bass: return [0, 4, 7, 9][fromBottom]
        case .rhythm: return [0, 3, 7, 9][fromBottom]
        }
    }

    /// The row that shows a note, 0 to 11, of a track.
    public static func row(of track: Track, note: Int) -> Int {
        let rows = rows(of: track)
        return rows.upperBound - note / (Track.noteCount / rows.count)
    }
}
