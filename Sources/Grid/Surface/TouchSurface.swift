/// What a client's touch surface can distinguish, as declared with `hello`.
public struct TouchSurface: Equatable, Sendable {
    /// How finely places are known.
    public enum Resolution: String, CaseIterable, Sendable {
        /// Places inside cells.
        case subcell
        /// Cells only.
        case cell
    }

    /// How finely places are known.
    public var resolution: Resolution
    /// Display pixels from one cell to the next.
    public var cellPixels: Double
    /// Whether it is on another machine, and may fall silent without its connection's end.
    public var isRemote = false

    /// A surface; finer than cells with 20 px cells and 1 px gaps by default.
    public init(resolution: Resolution = .subcell, cellPixels: Double = 21) {
        self.resolution = resolution
        self.cellPixels = cellPixels
    }

    /// A surface that knows cells only.
    public static let cell = TouchSurface(resolution: .cell)

    /// A surface that knows places inside cells, which are so many pixels apart.
    public static func subcell(cellPixels: Double) -> TouchSurface { TouchSurface(cellPixels: cellPixels) }
}
