extension Document {
    /// The value of a parameter on a track, or of the whole for nil.
    public subscript(parameter: Parameter, track: Track? = nil) -> ParameterValue {
        parameter.isOfPattern ? pattern.parameters[parameter, track] : parameters[parameter, track]
    }

    /// Whether a toggle is on.
    public func isOn(_ parameter: Parameter, _ track: Track? = nil) -> Bool { number(parameter, track) != 0 }

    /// The value of a parameter as a number: 0 or 1 for a toggle, its index for a choice.
    public func number(_ parameter: Parameter, _ track: Track? = nil) -> Double {
        parameter.isOfPattern ? pattern.parameters.number(parameter, track) : parameters.number(parameter, track)
    }

    /// How pitch classes are coloured.
    public var colorMode: ColorMode { ColorMode.allCases[Int(number(.colors))] }

    /// Whether a track shows where the others have notes.
    public var showsGhosts: Bool { isOn(.ghosts) }

    /// The name of the kit of samples that the drums play, existing or not; nil for a built-in kit.
    public var sampleKit: String? {
        self[.kit, .rhythm].name.flatMap { Track.rhythm.soundNames.contains($0) ? nil : $0 }
    }

    /// Notes of a track that are silent by themselves: muted drums.
    public func mutedNotes(of track: Track) -> NoteSet {
        NoteSet(bits: UInt16(number(.mutedDrums, track)))
    }

    /// The soloed track: all others are silent.
    public var soloedTrack: Track? { Track.allCases.first { isOn(.solo, $0) } }

    /// Whether a track is silent: it is not soloed, and it is muted or another is soloed.
    public func isSilent(_ track: Track) -> Bool {
        if let soloedTrack { return soloedTrack != track }
        return isOn(.mute, track)
    }
}

extension Pattern {
    /// Steps that are played and shown, 8 to 32.
    public var length: Int {
        get { Int(parameters.number(.length)) }
        set { parameters.set(.length, to: .number(Double(newValue))) }
    }

    /// Beats (quarter notes, four steps) per minute, 20 to 300, kept to two decimals.
    public var bpm: Double {
        get { parameters.number(.tempo) }
        set { parameters.set(.tempo, to: .number(newValue)) }
    }

    /// Where an odd step lies between its even neighbours: 0.5 (straight) to 0.75.
    public var swing: Double {
        get { parameters.number(.swing) }
        set { parameters.set(.swing, to: .number(newValue)) }
    }

    /// Root and scale.
    public var key: Key {
        get {
            Key(root: PitchClass(Int(parameters.number(.root))), scale: Scale.allCases[Int(parameters.number(.scale))])
        }
        set {
            parameters.set(.root, to: .choice(newValue.root))
            parameters.set(.scale, to: .choice(newValue.scale))
        }
    }
}
