import JSON
import Wire

/// A finger on the grid.
public struct TouchInput: Equatable, Sendable {
    /// What the finger does.
    public enum Phase: String, CaseIterable, Sendable {
        case down
        case move
        case up
        case cancel
    }

    /// This client's number for the finger, the same from `down` to `up`.
    public var id: Int
    /// What the finger does.
    public var phase: Phase
    /// Place in cells from the left edge, 0 to 44; the integer part is the column.
    public var x: Double
    /// Place in cells from the upper edge, 0 to 24; the integer part is the row.
    public var y: Double

    /// A finger at a place.
    public init(id: Int, _ phase: Phase, x: Double, y: Double) {
        self.id = id
        self.phase = phase
        self.x = x
        self.y = y
    }

    /// A finger in the middle of a cell.
    public init(id: Int, _ phase: Phase, column: Int, row: Int) {
        self.init(id: id, phase, x: Double(column) + 0.5, y: Double(row) + 0.5)
    }

    fileprivate var parameters: JSONObject {
        ["touch": .integer(id), "phase": .string(phase.rawValue), "x": .number(x), "y": .number(y)]
    }
}

/// How exactly a client knows where its fingers are.
public enum TouchResolution: Equatable, Sendable {
    /// Within a cell, whose side measures so many display pixels, gap included.
    case subcell(cellPixels: Double)
    /// Only which cell.
    case cell

    fileprivate var json: JSONValue {
        switch self {
        case .subcell(let cellPixels): ["resolution": "subcell", "cellPixels": .number(cellPixels)]
        case .cell: ["resolution": "cell"]
        }
    }
}

extension PixelBoopClient {
    /// Introduces the client; without, it has no name, and its touches are exact within cells of 21 px.
    ///
    /// - Parameters:
    ///   - client: A name for people, as shown by `stats.get`.
    ///   - touch: How exactly it knows where its fingers are.
    @discardableResult
    public func hello(client: String, touch: TouchResolution? = nil) async throws -> Welcome {
        var parameters: JSONObject = ["client": .string(client)]
        parameters["touch"] = touch?.json
        return try await ask("hello", parameters)
    }

    /// Sends a touch and waits for nothing but room to send it in.
    public func send(_ touch: TouchInput) async throws {
        try await notify("touch", touch.parameters)
    }

    /// Sends a touch and waits for what it did.
    @discardableResult
    public func perform(_ touch: TouchInput) async throws -> TouchOutcome {
        try await ask("touch", touch.parameters)
    }
}
