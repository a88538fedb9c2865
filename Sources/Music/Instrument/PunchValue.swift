import Glibc

/// What an amount sets, in units.
public enum PunchValue: Equatable, Sendable {
    /// STUTTER: the length of what is repeated, in sixteenths.
    case stretch(sixteenths: Double)
    /// FILTER: the corner below which everything passes, in Hz.
    case lowPass(hertz: Double)
    /// FILTER: the corner above which everything passes, in Hz.
    case highPass(hertz: Double)
    /// BRAKE: the time to standstill, in beats; in fact at most 2 s.
    case standstill(beats: Double)
    /// THROW: how far the send to the reverb is from the track's own towards full, 0 to 1.
    case reverb(Double)
    /// THROW: the same for the send to the delay.
    case delay(Double)
}

extension PunchEffect {
    /// What an amount from 0 to 1 sets.
    public func value(of amount: Double) -> PunchValue {
        /// How far it is from the middle, 0 to 1.
        let distance = abs(2 * amount - 1)
        let isLeft = amount < 0.5
        return switch self {
        case .stutter: .stretch(sixteenths: PunchAmount.sixteenths(ofStutter: amount))
        case .filter where isLeft: .lowPass(hertz: 18_000 * pow(120.0 / 18_000, distance))
        case .filter: .highPass(hertz: 25 * pow(4000.0 / 25, distance))
        case .brake: .standstill(beats: 0.25 * pow(16, amount))
        case .throw: isLeft ? .reverb(distance) : .delay(distance)
        }
    }
}
