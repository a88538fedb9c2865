import SystemSupport

/// The controllers of one protocol, their packets and their schedule.
struct LightOutput {
    private(set) var stream: any LightStream
    var schedule: SendSchedule
    var destinations: [Destination]

    private let announcementInterval = Duration.seconds(10)
    private var nextAnnouncement = Duration.zero

    init(_ stream: any LightStream, to controllers: [Controller], picturesPerSecond: Int) {
        self.stream = stream
        let type = type(of: stream)
        schedule = SendSchedule(picturesPerSecond: picturesPerSecond, sendsAfterChange: type.sendsAfterChange)
        destinations = controllers.map { Destination($0, standardPort: type.port) }
    }

    /// The packets that are due now.
    mutating func due(at now: Duration, _ channels: [UInt8]) -> [Packet] {
        guard schedule.fetchDue(at: now) else { return [] }
        guard now >= nextAnnouncement else { return stream.picture(channels) }
        nextAnnouncement = now + announcementInterval
        return stream.picture(channels) + stream.announcement(channels: channels.count)
    }

    /// A black picture, then the end of the stream, each sent several times in case packets are lost.
    mutating func ending(channels count: Int) -> [[Packet]] {
        let (times, black) = (3, [UInt8](repeating: 0, count: count))
        return (0..<times).map { _ in stream.picture(black) }
            + (0..<times).map { _ in stream.farewell(channels: count) }
    }
}

/// Where a protocol's packets go.
struct Destination {
    let controller: Controller
    let port: UInt16
    /// Nil until a name is resolved.
    var address: IPv4?
    private var reachability = Reachability()
    /// Whether the name is being resolved, or was a moment ago.
    var isLookedUp = false

    init(_ controller: Controller, standardPort: UInt16) {
        self.controller = controller
        guard case .host(let name, let port) = controller else {
            self.port = standardPort
            return
        }
        self.port = port ?? standardPort
        address = IPv4(literal: name)
    }

    /// The name that has to be looked up before anything can be sent.
    var unknownName: String? {
        guard case .host(let name, _) = controller, address == nil, !isLookedUp else { return nil }
        return name
    }

    /// Where the packets of a universe go; nil while that is not known.
    func address(ofUniverse universe: Int) -> IPv4? {
        controller == .multicast ? IPv4(groupOfUniverse: universe) : address
    }

    /// Notes why sending or a look-up failed, nil if the network reported nothing: no success while the address is unknown,
    /// as nothing was sent.
    mutating func note(_ failure: String?, at now: Duration) -> Reachability.News? {
        guard let failure else { return address(ofUniverse: 0) == nil ? nil : reachability.succeed(at: now) }
        forget()
        return reachability.fail(failure, at: now)
    }

    /// Forgets a name's address, which may have changed.
    private mutating func forget() {
        if case .host(let name, _) = controller, IPv4(literal: name) == nil { address = nil }
    }
}
