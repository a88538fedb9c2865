import Glibc
import Grid

public struct CellArea: Equatable, Sendable {
    /// The leftmost column, from 0.
    public let column: Int
    /// The topmost row, from 0.
    public let row: Int
    public let width: Int
    public let height: Int

    public static let all = CellArea(column: 0, row: 0, width: Frame.columns, height: Frame.rows)

    private init(column: Int, row: Int, width: Int, height: Int) {
        (self.column, self.row, self.width, self.height) = (column, row, width, height)
    }

    /// Reads `x`, `y`, `w`, `h`; nil if the area is not on the grid.
    init?(_ words: [String]) {
        let numbers = words.compactMap { Int($0) }
        guard words.count == 4, numbers.count == 4, (0..<Frame.columns).contains(numbers[0]),
            (0..<Frame.rows).contains(numbers[1]), (1...Frame.columns - numbers[0]).contains(numbers[2]),
            (1...Frame.rows - numbers[1]).contains(numbers[3])
        else { return nil }
        self.init(column: numbers[0], row: numbers[1], width: numbers[2], height: numbers[3])
    }

    var text: String { "\(column),\(row),\(width),\(height)" }
}

/// Lights across and down.
public struct LightSize: Equatable, Sendable {
    public let width: Int
    public let height: Int

    static let range = 1...256

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    /// Reads `22x12`; nil for anything else.
    init?(_ text: String) {
        let numbers = text.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard numbers.count == 2, text.count(where: { $0 == "x" }) == 1, numbers.allSatisfy(Self.range.contains) else {
            return nil
        }
        self.init(width: numbers[0], height: numbers[1])
    }

    var text: String { "\(width)x\(height)" }
}

/// How far a picture is turned, clockwise, in degrees.
public enum Rotation: Int, CaseIterable, Sendable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270
}

/// The corner in which the first light is.
public enum WallOrigin: String, CaseIterable, Sendable {
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottomRight = "bottom-right"

    var isRight: Bool { self == .topRight || self == .bottomRight }
    var isBottom: Bool { self == .bottomLeft || self == .bottomRight }
}

/// How the rows of lights are wired.
public enum LightLayout: String, CaseIterable, Sendable {
    /// Each row begins on the side of the first light.
    case rows
    /// Each row begins where the one before ended.
    case serpentine
}

enum Math {
    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
}
