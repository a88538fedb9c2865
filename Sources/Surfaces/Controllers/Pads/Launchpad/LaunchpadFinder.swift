/// Finds Launchpads by the names of JACK's ports, as ALSA, a2jmidid or PipeWire give them, or by their aliases: jackd's
/// own ALSA drivers call a port `system:midi_capture_1`, and put the device's name into an alias.
public enum LaunchpadFinder {
    /// A port of JACK.
    public struct Port: Hashable, Sendable {
        public var name: String
        public var aliases: [String]

        public init(_ name: String, aliases: [String] = []) {
            self.name = name
            self.aliases = aliases
        }
    }

    public struct Found: Equatable, Sendable {
        public var model: LaunchpadModel
        /// The port from which its messages come.
        public var source: String
        /// The port to which messages for it go.
        public var sink: String
    }

    /// The Launchpads that have ports both ways, in the order of their sources.
    public static func launchpads(sources: [Port], sinks: [Port]) -> [Found] {
        let (sources, sinks) = (devices(sources), devices(sinks))
        return sources.sorted { $0.key < $1.key }.flatMap { key, sources in
            pairs(sources, sinks[key] ?? []).map { source, sink in
                Found(model: source.model, source: source.port, sink: sink.port)
            }
        }
    }

    /// The ports that carry the pads of Launchpads whose names differ at most in PipeWire's numbers, by that name: not
    /// the ports for DAWs, nor the MIDI sockets.
    private static func devices(_ ports: [Port]) -> [String: [LaunchpadPort]] {
        let all = ports.compactMap { LaunchpadPort($0) }
        return Dictionary(grouping: all, by: \.key).mapValues { ports in
            let labels = ports.map(\.label).sorted()
            // If ports have only numbers, the pads are on a Mini's and an X's second port, and on a Pro's first.
            let label = ports[0].model == .proMK3 ? labels.first : labels.last
            return ports.filter { $0.label == label }.sorted()
        }
    }

    /// Pairs the sources and sinks of identical Launchpads.
    ///
    /// PipeWire gives the first one's ports plain names, and appends a number to the others', one that is higher for
    /// those plugged in later; a device's source and sink have different ones. While a Launchpad is being plugged in or
    /// out, one side may have a port more than the other.
    private static func pairs(
        _ sources: [LaunchpadPort], _ sinks: [LaunchpadPort]
    ) -> [(source: LaunchpadPort, sink: LaunchpadPort)] {
        let plain = Array(zip(sources.filter { $0.serial == nil }, sinks.filter { $0.serial == nil }))
        let numbered = nearest(sources.filter { $0.serial != nil }, sinks.filter { $0.serial != nil })
        let known = plain + numbered
        let rest = zip(
            sources.filter { source in !known.contains { $0.0 == source } },
            sinks.filter { sink in !known.contains { $0.1 == sink } })
        return (known + rest).sorted { $0.0 < $1.0 }.map { (source: $0.0, sink: $0.1) }
    }

    /// Pairs ports in the order of their numbers or, if there are more on one side, those with the nearest numbers.
    private static func nearest(
        _ sources: [LaunchpadPort], _ sinks: [LaunchpadPort]
    ) -> [(LaunchpadPort, LaunchpadPort)] {
        guard sources.count != sinks.count else { return Array(zip(sources, sinks)) }
        var pairs: [(LaunchpadPort, LaunchpadPort)] = []
        let candidates = sources.flatMap { source in sinks.map { (source, $0) } }
        func distance(_ pair: (LaunchpadPort, LaunchpadPort)) -> Int {
            abs((pair.0.serial ?? 0) - (pair.1.serial ?? 0))
        }
        for pair in candidates.sorted(by: { distance($0) < distance($1) })
        where !pairs.contains(where: { $0.0 == pair.0 || $0.1 == pair.1 }) {
            pairs.append(pair)
        }
        return pairs
    }
}

/// A port of a Launchpad, and what its name says.
private struct LaunchpadPort: Comparable {
    let port: String
    let model: LaunchpadModel
    /// The part of the name that a device's ports have in common: the client, up to the model's name and the device's
    /// number.
    let key: String
    /// The name without PipeWire's number.
    let label: String
    /// The number by which PipeWire keeps equal names apart: `Launchpad X: LPX MIDI Out (capture)-123`.
    let serial: Int?

    /// Nil for a port that does not carry a Launchpad's pads.
    init?(_ port: LaunchpadFinder.Port) {
        // An alias has a dash for each character that is neither a letter nor a digit.
        let aliases = port.aliases.map { String($0.map { $0 == "-" ? " " : $0 }) }
        guard let name = ([port.name] + aliases).first(where: { Self.model(in: $0) != nil }),
            let model = Self.model(in: name), !name.contains("DAW"), !name.contains("DIN")
        else { return nil }
        self.port = port.name
        self.model = model
        // Aliases need not differ.
        (label, serial) = name == port.name ? Self.split(name) : (name, nil)
        key = Self.key(label, model)
    }

    private static func model(in name: String) -> LaunchpadModel? {
        LaunchpadModel.allCases.first { name.contains($0.rawValue) }
    }

    /// A name without the number at its end, and that number.
    private static func split(_ name: String) -> (label: String, serial: Int?) {
        let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
        let label = name.dropLast(digits)
        guard digits > 0, label.hasSuffix("-"), let serial = Int(name.suffix(digits)) else { return (name, nil) }
        return (String(label.dropLast()), serial)
    }

    private static func key(_ label: String, _ model: LaunchpadModel) -> String {
        guard let range = label.firstRange(of: model.rawValue) else { return label }
        let rest = label[range.upperBound...]
        let number = rest.hasPrefix(" [") || rest.hasPrefix("-") ? rest.prefix { $0 != "]" && $0 != ":" } : ""
        let client = label[..<range.lowerBound]
        // jackd -X raw: the direction, then the numbers of card, device and port: `alsa_pcm:in hw 2 0 1 Launchpad X`.
        let words = client.split { $0 == " " || $0 == ":" }
        let isRaw = words.count >= 6 && ["in", "out"].contains(words[1]) && words[2] == "hw"
        return (isRaw ? "\(words[0]):hw \(words[3])" : String(client)) + model.rawValue + number
    }

    /// In the order of their numbers, which is that in which they were plugged in; then of the numbers in their names.
    static func < (one: LaunchpadPort, other: LaunchpadPort) -> Bool {
        let (first, second) = (one.serial ?? -1, other.serial ?? -1)
        guard first == second else { return first < second }
        return (one.port.count, one.port) < (other.port.count, other.port)
    }
}
