import Music

extension Kind<Scale> {
    /// A scale by name.
    public static var scale: Kind { one(of: Scale.allCases) { $0.name } }
}

extension Kind<PitchClass> {
    /// A root by name, with sharps.
    public static var root: Kind { one(of: PitchClass.allCases) { $0.name } }
}

extension Kind<ColorMode> {
    /// A colour mode by name.
    public static var colorMode: Kind { one(of: ColorMode.allCases) { $0.name } }
}

extension Kind<Track> {
    /// A track by name.
    public static var track: Kind { one(of: Track.allCases) { $0.name } }
}

extension Kind<Velocity> {
    /// What a cell holds, by name.
    public static var velocity: Kind { one(of: Velocity.allCases) { $0.name } }
}
