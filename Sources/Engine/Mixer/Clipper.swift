/// A soft clipper, which has no memory and no delay: what is below -3 dBFS passes as it is; above, a hyperbola that touches the
/// straight line there (same slope) approaches full scale and never passes it.
enum Clipper {
    /// Up to where nothing changes: -3 dBFS.
    static var threshold: Float { 0.707_945_76 }

    /// Clips four samples.
    @_transparent
    static func clip(_ samples: Lanes) -> Lanes {
        let room = 1 - threshold
        let level = samples.magnitude
        // t + r*u/(1+u) with u = (level-t)/r, in a form that rounding cannot lift above 1.
        let clipped = 1 - room * room / (level + (room - threshold))
        let signed = Lanes(bits: clipped.bits | (samples.bits & 0x8000_0000))
        return samples.replacing(with: signed, where: level .> threshold)
    }
}
