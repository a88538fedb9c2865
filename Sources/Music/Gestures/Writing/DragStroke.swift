import Music

enum DragGesture: String, Sendable {
    case arpeggio = "ARPEGGIO"
    case walk = "WALK"
    case roll = "ROLL"
    case slide = "SLIDE"
    case chord = "CHORD"
    case rootAndFifth = "ROOT+5"
    case multi = "MULTI"
    case phrase = "PHRASE"
    case fill = "FILL"
    case sustain = "SUSTAIN"

    /// The gesture that a drag makes on its track.
    init(_ shape: DragShape) {
        switch (shape.heading, shape.track) {
        case (.horizontal, .rhythm): self = .roll
        case (.horizontal, _) where shape.isHeld: self = .sustain
        case (.horizontal, .melody), (.horizontal, .chords): self = .arpeggio
        case (.horizontal, .bass): self = .walk
        case (.vertical, .melody): self = .slide
        case (.vertical, .chords): self = .chord
        case (.vertical, .bass): self = .rootAndFifth
        case (.vertical, .rhythm): self = .multi
        case (.diagonal, .melody), (.diagonal, .chords): self = .phrase
        case (.diagonal, .bass), (.diagonal, .rhythm): self = .fill
        }
    }
}

/// A drag's gesture and what it writes.
struct DragStroke: Equatable, Sendable {
    let gesture: DragGesture
    let writing: Writing
    /// The tooltip: the gesture's name, for a slide the note's.
    let title: String

    init(_ shape: DragShape) {
        gesture = DragGesture(shape)
        writing = shape.writing(of: gesture)
        title = gesture == .slide ? shape.track.title(of: shape.fingerNote) : gesture.rawValue
    }

    /// The notes to play while the finger moves: of slide and multi, which write on the step where the finger went
    /// down.
    var audible: StepNotes? {
        gesture == .slide || gesture == .multi ? writing.steps[0].notes : nil
    }
}

extension DragShape {
    fileprivate func writing(of gesture: DragGesture) -> Writing {
        switch gesture {
        case .arpeggio: track == .melody ? scaleRun() : brokenChord()
        case .walk: walk()
        case .roll: roll()
        case .slide: stack(StepNotes([fingerNote], velocity))
        case .chord: chord()
        case .rootAndFifth: rootAndFifth()
        case .multi: multi()
        case .phrase, .fill: straightLine()
        case .sustain: sustain()
        }
    }
}
