// From keys to settings and back.

extension Configuration: Settings {
    /// Sets what a key stands for.
    public mutating func set(_ key: ConfigurationKey, to value: RawValue, home: String?) throws(BadValue) {
        switch key {
        case .socket:
            socketPath = try checked(value.path(home: home)) { $0.utf8.count <= BaseDirectories.socketPathLimit }
        case .socketGroup: socketGroup = try checked(value.group)
        case .maxClients: maxClients = try checked(value.integer) { Self.clientLimits.contains($0) }
        case .jackServer: jackServer = try checked(value.name(atMost: Self.jackServerLimit, without: "/"))
        case .clientName: clientName = try checked(value.name(atMost: Self.clientNameLimit, without: ":"))
        case .connect: connectsOutputs = try checked(value.boolean)
        case .stateDirectory: stateDirectory = try checked(value.path(home: home))
        case .dataDirectory: dataDirectory = try checked(value.path(home: home))
        case .audition: audition = try checked(value.choice())
        case .sync: sync = try checked(value.choice())
        case .logLevel: logLevel = try checked(value.choice())
        }
    }

    /// The value of a key as it would stand in the file; nil when it is not set and has no default.
    public func value(of key: ConfigurationKey) -> String? {
        switch key {
        case .socket: quoted(socketPath)
        case .socketGroup: socketGroup.flatMap { quoted($0.name) }
        case .maxClients: "\(maxClients)"
        case .jackServer: jackServer.flatMap { quoted($0) }
        case .clientName: quoted(clientName)
        case .connect: "\(connectsOutputs)"
        case .stateDirectory: quoted(stateDirectory)
        case .dataDirectory: quoted(dataDirectory)
        case .audition: quoted(audition.rawValue)
        case .sync: quoted(sync.rawValue)
        case .logLevel: quoted(logLevel.rawValue)
        }
    }

    /// What a running daemon makes of a configuration that was read again: the settings that it can take over, from it,
    /// and those that need a restart as they are.
    ///
    /// - Returns: The configuration to run with, and the keys that wait for a restart.
    public func applying(_ reread: Configuration) -> (configuration: Configuration, waiting: [ConfigurationKey]) {
        var result = self
        result.maxClients = reread.maxClients
        result.connectsOutputs = reread.connectsOutputs
        result.audition = reread.audition
        result.logLevel = reread.logLevel
        return (result, ConfigurationKey.allCases.filter { result.value(of: $0) != reread.value(of: $0) })
    }
}
