import Grid
import Instrument
import Music

/// Eight steps of the overview, in one of its rows: where a finger holds an effect.
struct PunchZone: Sendable {
    let effect: PunchEffect
    /// The tracks on which it acts.
    let tracks: [Track]
    /// First row of the text that names the amount.
    let textRow: Int
    private let columns: ClosedRange<Int>

    /// The zone at a place, nil where there is none.
    init?(at place: Place) {
        guard Layout.overviewRows.contains(place.row), let zone = Layout.zone(atColumn: place.column),
            let effect = PunchEffect(rawValue: zone)
        else { return nil }
        self.effect = effect
        columns = Layout.columns(ofZone: zone)
        textRow = TooltipAnchor.finger(place).row
        tracks = place.row == Layout.overviewRows.lowerBound ? Track.allCases : [.rhythm]
    }

    /// The amount that a finger at a place means, 0 to 1: from the left edge of the eight columns to their right one.
    func amount(at place: Place) -> Double {
        let share = (place.x - Double(columns.lowerBound)) / Double(columns.count)
        return min(max(0, share), 1)
    }
}

extension Turn {
    /// A finger holds the effect of a zone, with the amount of its place.
    mutating func punchIn(_ zone: PunchZone, at place: Place, by client: ClientID, _ id: DragID) {
        let amount = zone.amount(at: place)
        punchIn(
            PunchTouch(
                client: client, id: id, effect: zone.effect, amount: amount, tracks: zone.tracks,
                tooltip: Tooltip(text: zone.effect.title(of: amount), row: zone.textRow)))
    }
}

extension PunchEffect {
    /// An amount as it is shown: `STUT 1/16T`, `LOW 800`, `HIGH 1.2K`, `BRAKE 0.25`, `DELAY 80%`.
    func title(of amount: Double) -> String {
        switch value(of: amount) {
        case .stretch: "STUT \(PunchEffect.stretches[PunchAmount.column(of: amount)])"
        case .lowPass(let hertz): "LOW \(PunchEffect.number(hertz))"
        case .highPass(let hertz): "HIGH \(PunchEffect.number(hertz))"
        case .standstill(let beats): "BRAKE \(beats.rounded(to: beats < 1 ? 2 : 1).plain)"
        case .reverb(let share): "REVERB \(Int((share * 100).rounded()))%"
        case .delay(let share): "DELAY \(Int((share * 100).rounded()))%"
        }
    }

    /// STUTTER's stretches as note values, dotted (`D`) or as triplets (`T`), one for each column.
    private static let stretches = ["1/4", "1/8D", "1/8", "1/16D", "1/16", "1/16T", "1/32", "1/64"]

    /// Hertz in two or three digits: `25`, `820`, `1.2K`, `18K`.
    private static func number(_ hertz: Double) -> String {
        switch hertz {
        case ..<100: hertz.rounded(to: 0).plain
        case ..<995: (hertz / 10).rounded().plain + "0"
        case ..<9950: (hertz / 1000).rounded(to: 1).plain + "K"
        default: (hertz / 1000).rounded(to: 0).plain + "K"
        }
    }
}

extension Double {
    fileprivate func rounded(to decimals: Int) -> Double {
        let factor: Double = decimals == 2 ? 100 : decimals == 1 ? 10 : 1
        return (self * factor).rounded() / factor
    }
}
