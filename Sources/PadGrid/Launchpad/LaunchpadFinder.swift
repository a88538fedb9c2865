/// Finds Launchpads by the names of JACK's ports, as ALSA, a2jmidid or PipeWire give them.
public enum LaunchpadFinder {
    public struct Found: Equatable, Sendable {
        public var model: LaunchpadModel
        /// The port from which its messages come.
        public var source: String
        /// The port to which messages for it go.
        public var sink: String
    }

    /// The Launchpads that have ports both ways, in the order of their sources.
    public static func launchpads(sources: [String], sinks: [String]) -> [Found] {
        let (sources, sinks) = (devices(sources), devices(sinks))
        return sources.compactMap { device in
            guard let sink = sinks.first(where: { $0.key == device.key }) else { return nil }
            return Found(model: device.model, source: device.port, sink: sink.port)
        }
    }

    /// The port of each Launchpad that carries its pads: not the port for DAWs, nor the MIDI sockets.
    private static func devices(_ ports: [String]) -> [(key: String, model: LaunchpadModel, port: String)] {
        var devices: [(key: String, model: LaunchpadModel, port: String)] = []
        for port in ports.sorted() where !port.contains("DAW") && !port.contains("DIN") {
            guard let model = LaunchpadModel.allCases.first(where: { port.contains($0.rawValue) }) else { continue }
            let key = Self.key(port, model)
            guard let index = devices.firstIndex(where: { $0.key == key }) else {
                devices.append((key, model, port))
                continue
            }
            // If ports have only numbers, the pads are on a Mini's and an X's second port, and on a Pro's first.
            if model != .proMK3 { devices[index].port = port }
        }
        return devices
    }

    /// The common part of the names of a device's ports: the client, up to the model's name and the device's number.
    private static func key(_ port: String, _ model: LaunchpadModel) -> String {
        guard let range = port.firstRange(of: model.rawValue) else { return port }
        let rest = port[range.upperBound...]
        let number = rest.hasPrefix(" [") || rest.hasPrefix("-") ? rest.prefix { $0 != "]" && $0 != ":" } : ""
        return String(port[..<range.upperBound] + number)
    }
}
