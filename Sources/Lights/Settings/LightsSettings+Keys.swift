import Configuration

// From keys to settings and back.

extension LightsSettings: Settings {
    /// Sets what a key stands for.
    public mutating func set(_ key: LightsKey, to value: RawValue, home: String?) throws(BadValue) {
        switch key {
        case .socket:
            socketPath = try checked(value.path(home: home)) { $0.utf8.count <= BaseDirectories.socketPathLimit }
        case .ddp: ddp = try controllers(value)
        case .artnet: artNet = try controllers(value)
        case .sacn: sACN = try controllers(value, orMulticast: true)
        case .crop: wall.crop = try checked(value.words.flatMap { CellArea($0) })
        case .scale: wall.scale = try checked(value.text.flatMap { LightSize($0) })
        case .layout: wall.layout = try checked(value.choice())
        case .origin: wall.origin = try checked(value.choice())
        case .rotate: wall.rotation = try checked(value.integer.flatMap { Rotation(rawValue: $0) })
        case .gamma: wall.gamma = try checked(value.number) { (1...4).contains($0) }
        case .brightness: wall.brightness = try checked(value.number) { (0...1).contains($0) }
        case .picturesPerSecond: picturesPerSecond = try checked(value.integer) { (1...240).contains($0) }
        case .universe: universe = try checked(value.integer) { (0...SACNStream.universes.upperBound).contains($0) }
        case .start: start = try checked(value.integer) { (1...Universes.size).contains($0) }
        case .preview: isPreviewed = try checked(value.boolean)
        case .identifierFile: identifierFile = try checked(value.path(home: home))
        case .logLevel: logLevel = try checked(value.choice())
        }
    }

    /// The value of a key as it would stand in the file; nil when it is not set and has no default.
    public func value(of key: LightsKey) -> String? {
        switch key {
        case .socket: quoted(socketPath)
        case .ddp: list(ddp.map(\.text))
        case .artnet: list(artNet.map(\.text))
        case .sacn: list(sACN.map(\.text))
        case .crop: quoted(wall.crop.text)
        case .scale: wall.scale.flatMap { quoted($0.text) }
        case .layout: quoted(wall.layout.rawValue)
        case .origin: quoted(wall.origin.rawValue)
        case .rotate: "\(wall.rotation.rawValue)"
        case .gamma: "\(wall.gamma)"
        case .brightness: "\(wall.brightness)"
        case .picturesPerSecond: "\(picturesPerSecond)"
        case .universe: universe.map { "\($0)" }
        case .start: "\(start)"
        case .preview: "\(isPreviewed)"
        case .identifierFile: quoted(identifierFile)
        case .logLevel: quoted(logLevel.rawValue)
        }
    }

    /// Nothing to send to, or more universes than a protocol has.
    public var conflict: (key: LightsKey, message: String)? {
        func conflict(_ name: String, _ all: ClosedRange<Int>) -> (key: LightsKey, message: String)? {
            let numbers = universes(of: all).numbers(channels: 3 * wall.count)
            guard numbers.lowerBound < all.lowerBound || numbers.upperBound - 1 > all.upperBound else { return nil }
            return (
                .universe,
                "\(name) has universes \(all.lowerBound) to \(all.upperBound), of which this wall needs \(numbers.count)"
            )
        }
        if !isPreviewed && (ddp + artNet + sACN).isEmpty {
            return (.ddp, "there is nothing to send to: ddp, artnet, sacn or preview must be set")
        }
        return (artNet.isEmpty ? nil : conflict(ArtNetStream.name, ArtNetStream.universes))
            ?? (sACN.isEmpty ? nil : conflict(SACNStream.name, SACNStream.universes))
    }

    private func controllers(_ value: RawValue, orMulticast: Bool = false) throws(BadValue) -> [Controller] {
        let words = try checked(value.words)
        let controllers = words.compactMap { word in
            orMulticast && word == Controller.multicast.text ? .multicast : Controller(word)
        }
        guard controllers.count == words.count else { throw BadValue() }
        return controllers
    }
}
