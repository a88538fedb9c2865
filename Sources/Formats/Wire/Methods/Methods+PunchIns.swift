import Instrument
import JSON
import Music
import PatternFormat

// Effects that last as long as they are held.
extension Methods {
    private static let ends =
        "It ends with `punch.end`, when another holds the effect, with stop, pause or the loss of audio, with the connection, and for remote clients 2 s after their last line"

    public static let setPunchIn = Method(
        "punch.set",
        "Holds an effect, or moves its amount: what the grid's overview does under a finger. \(ends). `held` says whether this connection holds it: after it has lost the effect in any other way than by silence, and while nothing plays (stutter, brake), it must call `punch.end` first.",
        effect,
        .required("amount", .number(in: 0...1), "The place in the effect's zone, from left to right."),
        .optional("tracks", .tracks, default: Track.allCases, "The tracks on which it acts; by default all."),
        result: Kind<Bool>.record(Member("held", .boolean, { $0 }), make: { $0 }), errors: [.noAudio],
        example: .init(["effect": "filter", "amount": 0.25, "tracks": ["bass"]], returns: ["held": true]))

    public static let endPunchIn = Method(
        "punch.end", "Lets go of an effect, if this connection holds it.", effect, result: .nothing,
        example: .init(["effect": "filter"], returns: [:]))

    static let punchIns = [setPunchIn.description.bindable(), endPunchIn.description]

    private static let effect = MethodParameter<PunchEffect>.required("effect", .name, "The effect.")
}

extension Kind<[Track]> {
    /// Some tracks, each once.
    static let tracks = Kind.array(of: Kind<Track>.name, count: 1...Track.allCases.count)
        .filtered(expected: "an array of different tracks: melody, chords, bass, rhythm") { tracks in
            Track.allCases.filter(tracks.contains).count == tracks.count
        }
        .described(as: ["uniqueItems": true])
}

extension PunchEvent: NotificationMessage {
    public static let method = Topic.punch.rawValue

    /// `{"effect": "filter", "amount": 0.25, "tracks": ["bass"]}`, of which the end has only the effect.
    public static let kind = Kind<PunchEvent>.record(
        Member("effect", Kind<PunchEffect>.name, \.effect),
        .optional("amount", .number(in: 0...1).meaning("Left out when it has ended."), \.amount),
        .optional("tracks", .tracks, \.tracks),
        make: { PunchEvent(effect: $0, amount: $1, tracks: $2) })
}
