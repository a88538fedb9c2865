/// The client's ports, in the order in which patchbays show them.
enum OutputPort: CaseIterable, Sendable {
    case mainLeft
    case mainRight
    case melody
    case chords
    case bass
    case rhythm

    /// The port's place among all, from 0.
    var index: Int {
        @_noLocks @_noAllocation get {
            switch self {
            case .mainLeft: 0
            case .mainRight: 1
            case .melody: 2
            case .chords: 3
            case .bass: 4
            case .rhythm: 5
            }
        }
    }

    /// The name that connections are made by; never changes.
    var name: String {
        switch self {
        case .mainLeft: "main_L"
        case .mainRight: "main_R"
        case .melody: "melody"
        case .chords: "chords"
        case .bass: "bass"
        case .rhythm: "rhythm"
        }
    }

    /// The name for people.
    var prettyName: String {
        switch self {
        case .mainLeft: "Main left"
        case .mainRight: "Main right"
        case .melody: "Melody"
        case .chords: "Chords"
        case .bass: "Bass"
        case .rhythm: "Rhythm"
        }
    }

    /// Which ports belong together.
    var group: String {
        switch self {
        case .mainLeft, .mainRight: "Main"
        case .melody, .chords, .bass, .rhythm: "Tracks"
        }
    }
}
