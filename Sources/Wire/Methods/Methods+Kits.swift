import JSON
import Music

// The kits that drums are hit of: built in, or made of the user's samples.
extension Methods {
    /// `kit.list`
    public static let kits = Method(
        "kit.list",
        "Lists the kits, the built-in ones first, and reads the samples of the others: what cannot be used is told.",
        result: .array(of: KitEntry.kind), example: .init(returns: example))

    /// `kit.reload`
    public static let reloadKits = Method(
        "kit.reload", "Looks for kits of samples anew, and loads those that are played; returns what `kit.list` does.",
        result: .array(of: KitEntry.kind), example: .init(returns: example))

    static let kitMethods = [kits.description, reloadKits.description]

    private static let example = JSONValue.array(
        (Track.rhythm.soundNames.map { KitEntry(name: $0) } + [
            KitEntry(
                name: "Dust", samples: ["kick", "low tom"],
                refused: [.init(file: "snare.wav", reason: "there is no sound in it")])
        ]).map { .object($0.json) })
}
