import Music

extension Score {
    /// What the engine needs to play a document.
    public init(_ document: Document) {
        self.init(parameters: ParameterBlock { document.number($0, $1) })
        for track in Track.allCases {
            let sounding = document.pattern.sounding(track)
            for step in 0..<stepCount { notes[track.rawValue * stepCount + step] = sounding[step] }
            isSilent[track.rawValue] = document.isSilent(track)
            motions.playing[track.rawValue] = TrackMotions(
                sounding.motions, length: document.pattern.length(of: track))
            launches.tracks[track.rawValue].playing = Int32(document.pattern.playing[track].index)
            launches.tracks[track.rawValue].playingTime = SlotTime(sounding)
        }
        bindings = BoundKeys(document.bindings)
    }

    /// Lets a slot of a pattern be launched.
    ///
    /// - Parameter number: Greater than those of the track's launches before it.
    public mutating func launch(_ slot: Slot, of pattern: Pattern, at point: LaunchPoint, number: Int64) {
        let track = slot.track.rawValue
        let sounding = pattern.sounding(slot)
        for step in 0..<stepCount { launches.notes[track * stepCount + step] = sounding[step] }
        motions.launched[track] = TrackMotions(sounding.motions, length: pattern.length(of: slot))
        launches.tracks[track].number = number
        launches.tracks[track].slot = Int32(slot.index)
        launches.tracks[track].time = SlotTime(sounding)
        launches.tracks[track].point = point
    }
}

extension BoundKeys {
    /// What a document binds; programs play nothing anyway.
    init(_ bindings: MidiBindings) {
        self.init()
        for binding in bindings.all {
            let (trigger, number) = (binding.trigger, UInt8(binding.trigger.number))
            for channel in trigger.channel.map({ $0...$0 }) ?? 1...16 {
                switch trigger.kind {
                case .controller: bind(controller: number, channel: UInt8(channel - 1))
                case .note: bind(note: number, channel: UInt8(channel - 1))
                case .program: break
                }
            }
        }
    }
}
