/// Whether all keys that are down when the music stops are released.
///
/// Others continue to play by hand meanwhile, so there need be no moment with all keys up; but each key that was down
/// must go up. After a disturbance nothing is known of what was down before.
struct KeyWatch {
    /// How long after a stop a key may stay down, in µs: by then the pedals are up, too.
    static let patience: UInt64 = 3_000_000

    /// Notes that were heard to start.
    private(set) var notes = 0
    /// Stops after which all keys were released.
    private(set) var stops = 0
    private(set) var faults: [String] = []
    private var keys = HeardKeys()
    /// Keys that were down at a stop and have not been released since.
    private var owed: Set<HeardKeys.Key> = []
    private var stop: UInt64?
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
            keys = HeardKeys()
        }
        owed.formIntersection(keys.down)
    }

    /// Records that the music was stopped, and the pedals lifted.
    mutating func noteStop(at usecs: UInt64, _ disturbances: Disturbances) {
        goOn(to: usecs, disturbances)
        (stop, owed) = (usecs, keys.down)
    }

    /// Advances to a time; everything before it has been heard.
    mutating func goOn(to usecs: UInt64, _ disturbances: Disturbances) {
        if disturbances.touch(min(time, usecs)...usecs) { (keys, owed, stop) = (HeardKeys(), [], nil) }
        time = max(time, usecs)
        guard let stop, usecs > stop + Self.patience else { return }
        if owed.isEmpty { stops += 1 } else { faults.append("still down after a stop: \(owed)") }
        self.stop = nil
    }
}
