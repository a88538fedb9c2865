import Music

extension Score {
    /// What the engine needs to play a document.
    public init(_ document: Document) {
        self.init(parameters: ParameterBlock { document.number($0, $1) })
        let sounding = document.pattern.soundingCells
        for track in Track.allCases {
            for step in 0..<Cells.stepCount {
                cells[track.rawValue * Cells.stepCount + step] = sounding[track, step].bits
            }
            isSilent[track.rawValue] = document.isSilent(track)
            launches.tracks[track.rawValue].playing = Int32(document.pattern.playing[track])
        }
        bindings = BoundKeys(document.bindings)
    }

    /// Lets a slot of a pattern be launched.
    ///
    /// - Parameter number: Greater than those of the track's launches before it.
    public mutating func launch(_ slot: Slot, of pattern: Pattern, at point: LaunchPoint, number: Int64) {
        let track = slot.track.rawValue
        let notes = pattern[slot].removingHeadless(length: pattern.length)
        for step in 0..<Cells.stepCount { launches.cells[track * Cells.stepCount + step] = notes[step].bits }
        launches.tracks[track].number = number
        launches.tracks[track].slot = Int32(slot.index)
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
