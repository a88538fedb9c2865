import Music

// Computed, because a stored global would be initialised behind a lock.

/// The number of tracks, which are in the order of `Music.Track`.
var trackCount: Int { PerTrack<Bool>.count }

/// The track of the drums, which is the last.
var drumTrack: Int { trackCount - 1 }

var noteCount: Int { PerNote<Bool>.count }

/// Something for each note of each track, by track * 12 + note.
typealias PerVoice<Value> = InlineArray<48, Value>

/// The number of slots of a track.
var slotCount: Int { 8 }

/// The number of steps of a track that a score has room for.
var stepCount: Int { PerStep<Bool>.count }

/// Some of the drums.
struct DrumSet: BitwiseCopyable {
    /// In the order of `Music.Drum`.
    private var bits: UInt16 = 0

    init(bits: UInt16 = 0) { self.bits = bits }

    func contains(_ drum: Int) -> Bool { bits >> UInt16(truncatingIfNeeded: drum) & 1 == 1 }
}

public struct TrackSet: Sendable, BitwiseCopyable {
    private var bits: UInt32 = 0

    public init() {}

    /// The tracks for which it is true.
    init(_ isMember: PerTrack<Bool>) {
        for track in 0..<trackCount where isMember[track] { insert(track) }
    }

    public var isEmpty: Bool { @_noLocks @_noAllocation get { bits == 0 } }

    /// Whether a track is among them, by its place in the order of `Track`.
    @_noLocks @_noAllocation
    public func contains(_ track: Int) -> Bool { bits >> UInt32(truncatingIfNeeded: track) & 1 == 1 }

    mutating func insert(_ track: Int) {
        bits |= 1 << UInt32(truncatingIfNeeded: track)
    }

    mutating func remove(_ track: Int) {
        bits &= ~(1 << UInt32(truncatingIfNeeded: track))
    }
}

/// What the engine knows about a track, as data: nothing else in the engine depends on which track it is, except that
/// ``VoiceSet`` expects the drums last.
struct TrackLayout: Sendable {
    /// What a track's notes are, and the sounds that they can have.
    enum Kind: Sendable {
        /// Pitches, upward from a MIDI note number.
        case pitched(lowestPitch: Int, [PitchedPreset])
        /// Drums of the kits of ``KitDescription/all``, in the order of `Music.Drum`.
        case drums
    }

    let kind: Kind
    /// Whether direct current is removed: drums that come faster than they decay add up to it, and so do low notes,
    /// which all begin at the same place of their waveforms.
    let blocksDirectCurrent: Bool
    /// The factors of the track's width, for each of its presets; a single one for drums.
    var widthFactors: [Float] {
        switch kind {
        case .pitched(_, let presets): presets.map { Float($0.width) }
        case .drums: [1]
        }
    }

    /// All tracks, in their order.
    static let all = Track.allCases.map { track in
        TrackLayout(kind: kind(of: track), blocksDirectCurrent: track == .bass || track == .rhythm)
    }

    private static func kind(of track: Track) -> Kind {
        func pitched(_ presets: [String: PitchedPreset]) -> Kind {
            .pitched(lowestPitch: track.lowestPitch, track.soundNames.map { presets[$0]! })
        }
        return switch track {
        case .melody: pitched(PitchedPreset.melody)
        case .chords: pitched(PitchedPreset.chords)
        case .bass: pitched(PitchedPreset.bass)
        case .rhythm: .drums
        }
    }

    /// The waveforms that all sounds need.
    static let tables = all.flatMap { layout in
        switch layout.kind {
        case .pitched(let lowestPitch, let presets):
            presets.flatMap { $0.tables(highestFrequency: frequency(pitch: lowestPitch + noteCount - 1)) }
        case .drums: KitDescription.all.flatMap(\.tables)
        }
    }
}
