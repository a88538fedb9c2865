import Grid

/// Lights in rows, (0,0) top-left.
struct LightPicture: Equatable, Sendable {
    let width: Int
    /// The colours, row by row.
    var colors: [Color]

    var height: Int { colors.count / width }

    init(width: Int, height: Int, color: (_ column: Int, _ row: Int) -> Color) {
        self.width = width
        colors = (0..<width * height).map { color($0 % width, $0 / width) }
    }

    subscript(column: Int, row: Int) -> Color { colors[row * width + column] }

    init(_ frame: Frame, in area: CellArea) {
        self.init(width: area.width, height: area.height) { frame[area.column + $0, area.row + $1] }
    }

    func rotated(by rotation: Rotation) -> LightPicture {
        switch rotation {
        case .none: self
        case .quarter: LightPicture(width: height, height: width) { self[$1, height - 1 - $0] }
        case .half: LightPicture(width: width, height: height) { self[width - 1 - $0, height - 1 - $1] }
        case .threeQuarters: LightPicture(width: height, height: width) { self[width - 1 - $1, $0] }
        }
    }

    /// The picture in another size: each new light is the mean of the area that it covers.
    func scaled(to size: LightSize) -> LightPicture {
        guard size != LightSize(width: width, height: height) else { return self }
        let columns = (0..<size.width).map { Span($0, of: size.width, over: width) }
        let rows = (0..<size.height).map { Span($0, of: size.height, over: height) }
        return LightPicture(width: size.width, height: size.height) { mean(columns[$0], rows[$1]) }
    }

    private func mean(_ columns: Span, _ rows: Span) -> Color {
        var sum = SIMD3<Double>.zero
        for (row, height) in zip(rows.first..., rows.weights) {
            for (column, width) in zip(columns.first..., columns.weights) {
                let color = self[column, row]
                sum += SIMD3(Double(color.red), Double(color.green), Double(color.blue)) * (width * height)
            }
        }
        let channels = sum.rounded(.toNearestOrAwayFromZero)
        return Color(red: UInt8(channels.x), green: UInt8(channels.y), blue: UInt8(channels.z))
    }
}

/// The cells that one of several equal parts of a line covers, and each cell's share of the part.
private struct Span {
    let first: Int
    let weights: [Double]

    init(_ index: Int, of parts: Int, over cells: Int) {
        // The unit is a cell divided by `parts`, so that everything is exact.
        let (start, end) = (index * cells, (index + 1) * cells)
        first = start / parts
        weights = (first...((end - 1) / parts)).map { cell in
            let covered = min(end, (cell + 1) * parts) - max(start, cell * parts)
            return Double(covered) / Double(cells)
        }
    }
}
