/// A property of notes besides pitch and velocity: a row of the table below.
///
/// A new value is a new row, and what plays it. `note.set` and `note.adjust`, their schemas and errors, pattern files,
/// storage, the undo history, the score, the command line and its words on the grid follow from the row.
public enum NoteValue: UInt8, CaseIterable, Sendable {
    /// Decibels relative to the velocity's loudness.
    case level
    /// The share of its passes in which it plays, in percent.
    case chance
    /// The passes in which it plays, as a number of ``Cycle``.
    case cycle
    /// How many times it starts in its step.
    case ratchet
    /// How much later than its step it starts, in percent of a step; less than 0 is earlier.
    case nudge

    /// Where notes keep it: range, default and bits.
    var field: NoteField {
        @_noLocks @_noAllocation get {
            switch self {
            case .level: NoteField(-24, 0, usual: 0, bits: 2, 7)
            case .chance: NoteField(0, 100, usual: 100, bits: 7, 14)
            case .cycle: NoteField(0, Cycle.last, usual: 0, bits: 14, 20)
            case .ratchet: NoteField(1, 8, usual: 1, bits: 20, 23)
            case .nudge: NoteField(-50, 50, usual: 0, bits: 23, 30)
            }
        }
    }

    /// The numbers that it may have.
    public var range: ClosedRange<Int> { field.lowest...field.highest }

    private static func row(of value: NoteValue) -> NoteValueRow {
        switch value {
        case .level:
            NoteValueRow(
                value, "level", .decibels, "How much softer it is than its velocity.",
                choices: [0, -3, -6, -9, -12, -18], title: { "\($0) DB" },
                label: { $0 > -10 ? "\($0)" : "\(-$0)" })
        case .chance:
            NoteValueRow(
                value, "chance", .percent, "How often it plays, decided by dice in each pass.",
                choices: [100, 90, 75, 50, 25, 10], title: { "\($0)%" }, label: { "\($0)" })
        case .cycle:
            NoteValueRow(
                value, "cycle", .choice(Cycle.names), "In which passes it plays: 1:2 is the first of every two.",
                choices: Cycle.choices, title: { Cycle.names[$0].uppercased() }, label: Cycle.label(of:))
        case .ratchet:
            NoteValueRow(
                value, "ratchet", .none, "How many times it starts in its step.", choices: [1, 2, 3, 4, 6, 8],
                title: { "X\($0)" })
        case .nudge:
            NoteValueRow(
                value, "nudge", .percent, "How much of a step later it starts; negative for earlier.",
                choices: [0, 12, 25, 37, 50, -12, -25, -37], title: { $0 > 0 ? "+\($0)%" : "\($0)%" },
                label: { $0 > 0 ? "+\($0 / 10)" : "\($0 / 10)" })
        }
    }

    /// The value's row in the table.
    public var row: NoteValueRow { NoteValue.rows[Int(rawValue)] }

    private static let rows = allCases.map(row)

    /// The number of one of the row's values, nil for any other.
    public func number(of value: ParameterValue) -> Int? {
        row.kind.checked(value).map { Int(row.kind.number(of: $0)) }
    }

    /// The value that a number stands for.
    public func value(of number: Int) -> ParameterValue { row.kind.value(of: Double(number)) }
}

public struct NoteValueRow: Sendable {
    /// The name in files and methods.
    public let name: String
    /// The values that it may have.
    public let kind: ParameterKind
    /// Its description in one sentence.
    public let summary: String
    /// The numbers that lenses show and fingers choose from, the default first.
    public let choices: [Int]
    /// A number in words, for tooltips: `-6 DB`, `75%`, `NOT FIRST`, `X3`, `+25%`.
    public let title: @Sendable (_ number: Int) -> String
    /// A number that is not the default in at most two characters, for cells: `-6`, `12` (dB), `75`, `12` (1:2), `1F` (first),
    /// `X3`, `+2` (tens of percent).
    public let label: @Sendable (_ number: Int) -> String

    /// A row for whole numbers.
    fileprivate init(
        _ value: NoteValue, _ name: String, _ unit: ParameterKind.Unit, _ summary: String, choices: [Int],
        title: @escaping @Sendable (Int) -> String, label: (@Sendable (Int) -> String)? = nil
    ) {
        self.init(
            value, name, .integer(value.range, unit), summary, choices: choices, title: title, label: label ?? title)
    }

    fileprivate init(
        _ value: NoteValue, _ name: String, _ kind: ParameterKind, _ summary: String, choices: [Int],
        title: @escaping @Sendable (Int) -> String, label: @escaping @Sendable (Int) -> String
    ) {
        self.name = name
        self.kind = kind
        self.summary = summary
        self.choices = choices
        self.title = title
        self.label = label
    }
}
