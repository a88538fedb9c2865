import Music

// Settings that programs ask for by name rather than by the table.

extension InstrumentState {
    /// Beats per minute.
    public var bpm: Double {
        get { settings.number(.tempo) }
        set { settings.set(.tempo, to: .number(newValue)) }
    }

    /// Steps that are played.
    public var length: Int { Int(settings.number(.length)) }

    /// Where an odd step lies between its even neighbours; 0.5 is straight.
    public var swing: Double {
        get { settings.number(.swing) }
        set { settings.set(.swing, to: .number(newValue)) }
    }

    /// The scale.
    public var scale: Scale {
        get { settings.choice(.scale) ?? .major }
        set { settings.set(.scale, to: .choice(newValue)) }
    }

    /// The scale's root.
    public var root: PitchClass {
        get { settings.choice(.root) ?? PitchClass(0) }
        set { settings.set(.root, to: .choice(newValue)) }
    }
}

extension ParameterValues {
    fileprivate func choice<Choice: Named>(_ parameter: Parameter) -> Choice? {
        self[parameter].name.flatMap(Choice.init(name:))
    }
}
