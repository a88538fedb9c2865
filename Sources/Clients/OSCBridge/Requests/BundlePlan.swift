import OSC

/// The messages of a packet in order, and the delay of each.
struct BundlePlan: Equatable, Sendable {
    /// A message, carried out after a delay.
    struct Step: Equatable, Sendable {
        var delay: Duration
        var message: OSCMessage
    }

    /// How far ahead a time tag may be.
    static let horizon = Duration.seconds(1)

    private(set) var steps: [Step] = []
    /// Messages for later than that, perhaps because of a wrong clock.
    private(set) var refused = 0

    /// Plans a packet.
    ///
    /// - Parameter now: Since the beginning of 1970.
    init(_ packet: OSCPacket, at now: Duration) {
        add(packet, delay: .zero, at: now)
    }

    private mutating func add(_ packet: OSCPacket, delay: Duration, at now: Duration) {
        switch packet {
        case .message(let message):
            if delay > Self.horizon { refused += 1 } else { steps.append(Step(delay: delay, message: message)) }
        case .bundle(let time, let elements):
            // A nested bundle takes effect no earlier than the outer one.
            let delay = max(delay, time.delay(after: now))
            for element in elements { add(element, delay: delay, at: now) }
        }
    }
}
