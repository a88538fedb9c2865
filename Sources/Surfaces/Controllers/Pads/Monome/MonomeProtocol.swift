import Grid
import OSC

/// The messages from and to serialosc and the grids behind it (monome.org/docs/serialosc/osc).
public enum MonomeProtocol {
    /// A message from serialosc or a grid.
    public enum Event: Equatable, Sendable {
        /// A grid that is connected, in answer to ``list(answerTo:)``.
        case device(id: String, port: UInt16)
        /// A grid was plugged in.
        case added(id: String, port: UInt16)
        /// Another device was plugged in, which is not used here: an arc, which has knobs.
        case addedOther
        /// A device was removed.
        case removed(port: UInt16)
        /// How many pads a grid has.
        case size(columns: Int, rows: Int)
        /// The port that a grid sends its keys to.
        case destination(port: Int)
        /// A grid's process has restarted; it still sends its keys to us.
        case started
        case press(PadPosition)
        case release(PadPosition)
    }

    /// serialosc's own port.
    public static let serialoscPort: UInt16 = 12_002
    /// The beginning of our grids' addresses.
    static let prefix = "/pixelboop"
    /// Pads in one message about lights: 8 by 8.
    private static let mapSide = 8

    /// Asks serialosc which devices there are.
    public static func list(answerTo port: UInt16) -> OSCMessage {
        OSCMessage("/serialosc/list", .string("127.0.0.1"), .integer(Int32(port)))
    }

    /// Asks serialosc to report, once, the next device that comes or goes.
    public static func notify(at port: UInt16) -> OSCMessage {
        OSCMessage("/serialosc/notify", .string("127.0.0.1"), .integer(Int32(port)))
    }

    /// Has a grid send to us, and report its size.
    public static func greeting(answerTo port: UInt16) -> [OSCMessage] {
        [
            OSCMessage("/sys/port", .integer(Int32(port))), OSCMessage("/sys/host", .string("127.0.0.1")),
            OSCMessage("/sys/prefix", .string(prefix)), question(answerTo: port),
        ]
    }

    /// Asks a grid for its properties, among them where it sends its keys.
    public static func question(answerTo port: UInt16) -> OSCMessage {
        OSCMessage("/sys/info", .string("127.0.0.1"), .integer(Int32(port)))
    }

    /// Sets the lights of the blocks of eight by eight in which something changed.
    ///
    /// - Parameters:
    ///   - levels: Brightness of all pads, 0 to 15, row by row.
    ///   - shown: What the grid shows; nil when that is unknown.
    public static func lights(_ levels: [Int], after shown: [Int]?, columns: Int) -> [OSCMessage] {
        let rows = levels.count / columns
        func level(_ levels: [Int]?, _ column: Int, _ row: Int) -> Int? {
            column < columns && row < rows ? levels?[row * columns + column] : 0
        }
        var messages: [OSCMessage] = []
        for top in stride(from: 0, to: rows, by: mapSide) {
            for left in stride(from: 0, to: columns, by: mapSide) {
                let places = (0..<mapSide * mapSide).map { (left + $0 % mapSide, top + $0 / mapSide) }
                let map = places.map { level(levels, $0.0, $0.1) ?? 0 }
                guard map != places.map({ level(shown, $0.0, $0.1) }) else { continue }
                messages.append(
                    OSCMessage(
                        "\(prefix)/grid/led/level/map",
                        [.integer(Int32(left)), .integer(Int32(top))] + map.map { .integer(Int32($0)) }))
            }
        }
        return messages
    }

    public static let dark = OSCMessage("\(prefix)/grid/led/all", .integer(0))

    /// The brightness for a colour: that of its brightest channel; the grid's background is dark.
    public static func level(of color: Color) -> Int {
        let (dark, brightest) = (10, Int(max(color.red, color.green, color.blue)))
        return max(0, (brightest - dark) * 15 + (255 - dark) / 2) / (255 - dark)
    }

    /// Reads a message; nil for one that is not used.
    public static func event(_ message: OSCMessage) -> Event? {
        let values = message.arguments
        switch message.address {
        case "/serialosc/device", "/serialosc/add", "/serialosc/remove":
            guard values.count == 3, let id = values[0].text, let port = values[2].int.flatMap({ UInt16(exactly: $0) }),
                port > 0
            else { return nil }
            if message.address == "/serialosc/remove" { return .removed(port: port) }
            let isAdded = message.address == "/serialosc/add"
            // "monome arc 4", where a grid is a "monome 128".
            if values[1].text?.contains("arc") == true { return isAdded ? .addedOther : nil }
            return isAdded ? .added(id: id, port: port) : .device(id: id, port: port)
        case "/sys/size":
            guard values.count == 2, let columns = values[0].int, let rows = values[1].int,
                (8...64).contains(columns), (8...64).contains(rows)
            else { return nil }
            return .size(columns: columns, rows: rows)
        case "/sys/port": return values.first?.int.map { .destination(port: $0) }
        case "/sys/connect": return .started
        case "\(prefix)/grid/key":
            guard values.count == 3, let column = values[0].int, let row = values[1].int, let state = values[2].int,
                (0..<64).contains(column), (0..<64).contains(row)
            else { return nil }
            return state == 0
                ? .release(PadPosition(column: column, row: row)) : .press(PadPosition(column: column, row: row))
        default: return nil
        }
    }
}
