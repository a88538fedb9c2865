/// Whether all keys that are down when the music stops are released, and those of a client that vanishes.
///
/// Others continue to play by hand meanwhile, so there need be no moment with all keys up; but each key that was down
/// must go up. After a disturbance nothing is known of what was down before.
struct KeyWatch {
    /// How long after that a key may stay down, in µs: by then the pedals are up, too.
    static let patience: UInt64 = 3_000_000

    /// Why keys must go up.
    enum Reason: String {
        case stop = "a stop"
        case vanishing = "its client vanished"
    }

    /// Keys that must go up.
    private struct Debt {
        let reason: Reason
        let since: UInt64
        var keys: Set<HeardKeys.Key>
    }

    /// Notes that were heard to start.
    private(set) var notes = 0
    /// How often all keys that had to go up did.
    private(set) var settled: [Reason: Int] = [:]
    private(set) var faults: [String] = []
    private var keys = HeardKeys()
    private var debts: [Debt] = []
    private var time: UInt64 = 0

    /// The keys that are down.
    var down: Set<HeardKeys.Key> { keys.down }

    /// Hears a message; messages come in order of time.
    mutating func hear(_ bytes: [UInt8], at usecs: UInt64, _ disturbances: Disturbances) {
        goOn(to: usecs, disturbances)
        keys.hear(bytes)
        if bytes[0] & 0xf0 == 0x90 { notes += 1 }
        if let fault = keys.fault {
            faults.append(fault)
            (keys, debts) = (HeardKeys(), [])
        }
        for index in debts.indices { debts[index].keys.formIntersection(keys.down) }
        for debt in debts where debt.keys.isEmpty { settled[debt.reason, default: 0] += 1 }
        debts.removeAll { $0.keys.isEmpty }
    }

    /// Records that the music was stopped, and the pedals lifted.
    mutating func noteStop(at usecs: UInt64, _ disturbances: Disturbances) {
        note(.stop, at: usecs, disturbances) { _ in true }
    }

    /// Records that a client has vanished that may have held some keys, which nobody else holds for long.
    mutating func noteVanishing(of held: Set<HeardKeys.Key>, at usecs: UInt64, _ disturbances: Disturbances) {
        note(.vanishing, at: usecs, disturbances) { held.contains($0) }
    }

    private mutating func note(
        _ reason: Reason, at usecs: UInt64, _ disturbances: Disturbances, _ isOwed: (HeardKeys.Key) -> Bool
    ) {
        goOn(to: usecs, disturbances)
        // Where no key is down, none can stay down.
        let owed = keys.down.filter(isOwed)
        if !owed.isEmpty { debts.append(Debt(reason: reason, since: usecs, keys: owed)) }
    }

    /// Advances to a time; everything before it has been heard.
    mutating func goOn(to usecs: UInt64, _ disturbances: Disturbances) {
        if disturbances.touch(min(time, usecs)...usecs) { (keys, debts) = (HeardKeys(), []) }
        time = max(time, usecs)
        for debt in debts where usecs > debt.since + Self.patience {
            faults.append("still down after \(debt.reason.rawValue): \(debt.keys)")
        }
        debts.removeAll { usecs > $0.since + Self.patience }
    }
}
