import Grid
import PixelBoopClient
import TerminalGrid

/// A key that holds a punch-in: a finger on its zone of the overview.
struct PunchKey: Hashable, Sendable {
    /// The zone, 0 to 3.
    let zone: Int
    /// Whether it acts on rhythm alone.
    let isRhythmAlone: Bool

    /// Where they are on a US keyboard.
    private static let places = Array("xcvb")
    /// The cell of each zone that they touch: a sixteenth, a low-pass at 790 Hz, a beat and the delay.
    private static let cells = [4, 1, 4, 7]
    /// The first id of the fingers: each key has its own, since the newer of two takes over the effect.
    private static let firstID = 10

    /// The key at a place of the keyboard, nil for others.
    init?(at place: Character, isShifted: Bool) {
        guard let zone = PunchKey.places.firstIndex(of: place) else { return nil }
        self.zone = zone
        isRhythmAlone = isShifted
    }

    /// The finger goes down beside its cell, and moves there: so it holds at once.
    var press: [Touch] { [touch(.down, beside: true), touch(.move)] }
    var release: Touch { touch(.up) }

    private func touch(_ phase: TouchPhase, beside: Bool = false) -> Touch {
        let cell = PunchKey.cells[zone] - (beside ? 1 : 0)
        let row = isRhythmAlone ? Layout.overviewRows.upperBound : Layout.overviewRows.lowerBound
        let column = Layout.columns(ofZone: zone).lowerBound + cell
        let id = PunchKey.firstID + zone + (isRhythmAlone ? PunchKey.places.count : 0)
        return Touch(id: id, phase, column: column, row: row)
    }
}

/// The punch-ins that keys hold.
struct PunchKeys: Equatable {
    /// How long a key holds on a terminal that reports no releases: longer than until keys begin to repeat.
    static let strike = 0.7

    private var held: [PunchKey] = []

    /// The commands of a key; nil if it holds no punch-in.
    mutating func react(to input: InputEvent) -> [InstrumentCommand]? {
        switch input {
        case .key(.character(let character)):
            let place = Character(character.lowercased())
            return PunchKey(at: place, isShifted: place != character).map { [.strikePunchIn($0)] }
        case .report(let report):
            guard case .character = report.key, let place = report.place,
                let key = PunchKey(at: place, isShifted: report.isShifted)
            else { return nil }
            return react(to: report.action, of: key)
        case .key, .mouse: return nil
        }
    }

    private mutating func react(to action: KeyReport.Action, of key: PunchKey) -> [InstrumentCommand] {
        switch action {
        case .press:
            let released = release(zone: key.zone)
            held.append(key)
            return released + key.press.map { .touch($0) }
        case .repetition: return []
        // Shift may have been released first.
        case .release: return release(zone: key.zone)
        }
    }

    private mutating func release(zone: Int) -> [InstrumentCommand] {
        let over = held.filter { $0.zone == zone }
        held.removeAll { $0.zone == zone }
        return over.map { .touch($0.release) }
    }

    /// Lets go of what is held.
    mutating func letGo() -> [InstrumentCommand] {
        defer { held = [] }
        return held.map { .touch($0.release) }
    }
}
