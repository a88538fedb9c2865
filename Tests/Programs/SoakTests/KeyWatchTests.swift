import Testing

@testable import pixelboop_soak

/// Whether keys that are down at a stop, or when their client vanishes, and never released are noticed.
struct KeyWatchTests {
    /// An event, a second after the previous one.
    enum Event {
        case on(UInt8)
        case off(UInt8)
        case stop
        /// The client that holds these keys has gone.
        case vanishing([UInt8])
        /// All Notes Off.
        case allOff
        /// A period was late.
        case gap
        /// The time in which keys must be released is over.
        case end
    }

    static func watch(_ events: Event...) -> KeyWatch {
        var (watch, gaps, time) = (KeyWatch(), Disturbances(), UInt64(0))
        for event in events {
            time += 1_000_000
            switch event {
            case .on(let key): watch.hear([0x90, key, 100], at: time, gaps)
            case .off(let key): watch.hear([0x80, key, 64], at: time, gaps)
            case .allOff: watch.hear([0xb0, 123, 0], at: time, gaps)
            case .stop: watch.noteStop(at: time, gaps)
            case .vanishing(let keys):
                let held = keys.map { HeardKeys.Key(channel: 0, number: $0) }
                watch.noteVanishing(of: Set(held), at: time, gaps)
            case .gap: gaps.add(time...time)
            case .end: time += KeyWatch.patience
            }
        }
        watch.goOn(to: time + 1, gaps)
        return watch
    }

    @Test func `keys that are released after a stop are fine, and so are those that others press meanwhile`() {
        for watch in [
            Self.watch(.on(60), .stop, .off(60), .on(61), .end), Self.watch(.on(60), .on(61), .stop, .allOff, .end),
            Self.watch(.on(60), .stop, .off(60), .on(60), .end),
        ] {
            #expect(watch.settled == [.stop: 1])
            #expect(watch.faults == [])
        }
    }

    @Test func `a stop while no key is down, or before a late period, proves nothing`() {
        for watch in [
            Self.watch(.stop, .on(60), .off(60), .end), Self.watch(.on(60), .stop, .gap, .off(60), .end),
        ] {
            #expect(watch.settled == [:])
            #expect(watch.faults == [])
        }
    }

    @Test func `keys of a client that vanishes must go up, and those of others need not`() {
        let good = Self.watch(.on(100), .on(60), .vanishing([100, 101]), .off(100), .end)
        #expect(good.settled == [.vanishing: 1] && good.faults == [])
        let bad = Self.watch(.on(100), .on(60), .vanishing([100, 101]), .off(60), .end)
        #expect(bad.settled == [:] && bad.faults == ["still down after its client vanished: [key 100 on channel 1]"])
    }

    @Test func `a key that stays down after a stop is a fault`() {
        let watch = Self.watch(.on(60), .on(61), .stop, .off(61), .end)
        #expect(watch.settled == [:])
        #expect(watch.faults == ["still down after a stop: [key 60 on channel 1]"])
    }

    @Test func `a key that is pressed twice is a fault`() {
        #expect(Self.watch(.on(60), .on(60)).faults == ["key 60 on channel 1 was pressed while it was down"])
    }

    @Test func `what was down before a late period is forgotten`() {
        #expect(Self.watch(.on(60), .gap, .on(60), .off(60)).faults == [])
        #expect(Self.watch(.on(60), .stop, .gap, .on(61), .end).faults == [])
        #expect(Self.watch(.on(60), .gap, .on(61)).down.map(\.number) == [61])
    }
}
