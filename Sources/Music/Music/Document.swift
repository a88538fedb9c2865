/// How the grid colours pitch classes.
public enum ColorMode: String, Named {
    case chromatic
    case harmonic
    /// Twelve colours that every eye can tell apart.
    case safe
}

/// Everything that a performer can change and that outlives the daemon: pattern, history, mixer and view settings.
///
/// A plain value; every change of notes goes through it, so that the history always fits the cells.
public struct Document: Equatable, Sendable {
    /// The pattern being played and edited.
    public private(set) var pattern = Pattern()
    /// Undo and redo.
    public private(set) var history = History()
    /// The parameters of the instrument; the pattern holds its own.
    package private(set) var parameters = ParameterValues()
    /// The actions of keys, controllers and programs at the MIDI input.
    public private(set) var bindings = MidiBindings()

    /// An empty pattern with default settings and no history.
    public init() {}

    /// A document as it was stored.
    package init(
        pattern: Pattern, history: History, parameters: ParameterValues, bindings: MidiBindings = MidiBindings()
    ) {
        self.pattern = pattern
        self.history = history
        self.parameters = parameters
        self.bindings = bindings
    }

    /// A new instrument's.
    public static let ofNewInstrument = Document(
        pattern: .ofNewInstrument, history: History(), parameters: .ofNewInstrument)

    /// A document that starts with the given pattern and no history.
    public init(pattern: Pattern) {
        self.pattern = pattern.settled()
    }

    /// Makes a change.
    ///
    /// - Returns: Whether anything changed; if not, there is no undo step and the redo side stays.
    @discardableResult
    public mutating func apply(_ change: DocumentChange) -> Bool {
        switch change {
        case .edit(let slots): edit(slots)
        case .launch(let slots): launch(slots)
        case .replacePattern(let pattern): replacePattern(pattern)
        case .startNew: startNew()
        case .undo: restore(history.undo())
        case .redo: restore(history.redo())
        case .retract: restore(history.retractNewest())
        case .setName(let name): setName(name)
        case .bind(let binding): bindings.bind(binding)
        case .unbind(let trigger): bindings.unbind(trigger)
        case .set(let parameter, let track, let value): set(parameter, on: track, to: value)
        case .adjust(let parameter, let track, let value, let continues):
            adjust(parameter, on: track, to: value, continues: continues)
        }
    }

    // MARK: Edits of notes: one undo step each

    /// If that changes any cell, headless sustain cells are removed from these slots, and from those that the other tracks
    /// play.
    private mutating func edit(_ slots: [Slot: SlotNotes]) -> Bool {
        // A length, a speed or a motion alters no cell: a cell that is headless at one length may have its head at
        // another.
        guard slots.contains(where: { !$1.hasCells(of: pattern[$0]) }) else { return write(slots) }
        // Headless cells are invisible and inaudible: removing them is no change by itself.
        let settled = slots.mapValues { $0.removingHeadless(ofWhole: pattern.length) }
        guard settled.contains(where: { $1 != pattern.sounding($0) }) else { return false }
        let edited = Set(slots.keys.map(\.track))
        let others = pattern.playing.all.filter { !edited.contains($0.track) }
        return write(settled.merging(others.map { ($0, pattern.sounding($0)) }) { notes, _ in notes })
    }

    /// Writes slots as they are, as one undo step.
    private mutating func write(_ slots: [Slot: SlotNotes]) -> Bool {
        precondition(Set(slots.keys.map(\.track)).count == slots.count, "two slots of one track are edited")
        let after = slots.filter { $1 != pattern[$0] }
        guard !after.isEmpty else { return false }
        let before = Dictionary(uniqueKeysWithValues: after.keys.map { ($0, pattern[$0]) })
        history.record(.init(before: .notes(before), after: .notes(after)))
        restore(.notes(after))
        return true
    }

    /// The changes that write the notes of slots: as part of the newest undo step if that is an edit of notes and the
    /// last thing that happened, else as a new step.
    public func amendment(_ slots: [Slot: SlotNotes]) -> [DocumentChange] {
        guard case .notes(let newest)? = history.undoable.last?.after else { return [.edit(slots)] }
        let all = slots.merging(newest.keys.map { ($0, pattern[$0]) }) { notes, _ in notes }
        return Set(all.keys.map(\.track)).count == all.count ? [.retract, .edit(all)] : [.edit(slots)]
    }

    private mutating func replacePattern(_ new: Pattern) -> Bool {
        let new = new.settled()
        guard new != pattern.settled() else { return false }
        history.record(.init(before: .pattern(pattern), after: .pattern(new)))
        pattern = new
        return true
    }

    private mutating func startNew() -> Bool {
        let (new, mixer) = (Pattern.ofNewInstrument, ParameterValues.ofNewInstrument.mixer)
        guard pattern.settled() != new || parameters.mixer != mixer else { return false }
        history.record(
            .init(before: .pattern(pattern, mixer: parameters.mixer), after: .pattern(new, mixer: mixer)))
        pattern = new
        parameters.copyMixer(from: mixer)
        return true
    }

    @discardableResult
    private mutating func restore(_ side: History.Side?) -> Bool {
        switch side {
        case .notes(let slots): for (slot, notes) in slots { pattern[slot] = notes }
        case .pattern(let pattern, let mixer):
            self.pattern = pattern
            if let mixer { parameters.copyMixer(from: mixer) }
        case .parameter(let parameter, let track, let value): set(parameter, on: track, to: value)
        case nil: return false
        }
        return true
    }

    // MARK: Sounds and mixer

    /// Sets a parameter as an undo step of its own, or as part of the parameter's newest one.
    private mutating func adjust(
        _ parameter: Parameter, on track: Track?, to value: ParameterValue, continues: Bool
    ) -> Bool {
        let before = self[parameter, track]
        guard set(parameter, on: track, to: value) else { return false }
        let after = self[parameter, track]
        if continues, history.extend(parameter, on: track, to: after) { return true }
        history.record(
            .init(before: .parameter(parameter, on: track, before), after: .parameter(parameter, on: track, after)))
        return true
    }

    // MARK: Slots: what plays is not in the history

    /// Plays slots in place of their tracks' current ones.
    ///
    /// - Returns: Whether anything changed.
    @discardableResult
    public mutating func launch(_ slots: [Slot]) -> Bool {
        let before = pattern.playing
        for slot in slots { pattern.playing.play(slot) }
        return pattern.playing != before
    }

    // MARK: Settings, by themselves not in the history

    /// Sets a parameter of a track, or of the whole, to the nearest value that it may have; no cell is altered. Does
    /// nothing when the parameter has no value on the track, or none of that kind.
    ///
    /// - Returns: Whether anything changed.
    @discardableResult
    public mutating func set(_ parameter: Parameter, on track: Track? = nil, to value: ParameterValue) -> Bool {
        parameter.isOfPattern
            ? pattern.parameters.set(parameter, on: track, to: value) : parameters.set(parameter, on: track, to: value)
    }

    /// Whether ``set(_:on:to:)`` would change anything.
    public func changes(_ parameter: Parameter, on track: Track? = nil, to value: ParameterValue) -> Bool {
        (parameter.isOfPattern ? pattern.parameters : parameters).changes(parameter, on: track, to: value)
    }

    private mutating func setName(_ name: String) -> Bool {
        defer { pattern.name = name }
        return name != pattern.name
    }
}
