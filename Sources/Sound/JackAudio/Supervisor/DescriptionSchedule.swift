/// When to set the metadata of a client and its ports: after it can be heard, a few properties at a time.
///
/// jackd notifies every client of each property that is set, and waits for room in the client's socket, which holds 32
/// such messages (jackd 1.9.21 under Linux's default of 208 KiB). A client that is being closed no longer reads. If it
/// is descheduled before it asks jackd to close it, and we set more than 32 properties meanwhile, jackd hangs forever.
struct DescriptionSchedule {
    /// Time from when the client can be heard to the first piece, so that the first sound is not delayed.
    static let delay = Duration.milliseconds(100)
    /// Time between two pieces: long enough for a descheduled program to run again.
    static let pause = Duration.milliseconds(25)

    /// When the next piece is due, nil while none is.
    private(set) var due: Duration?
    private var piece = 0
    private var hasBegun = false

    /// Records that the client can be heard.
    mutating func heard(at now: Duration) {
        guard !hasBegun else { return }
        hasBegun = true
        due = now + Self.delay
    }

    /// The piece to set now, from 0; nil while none is due.
    mutating func fetchDue(at now: Duration) -> Int? {
        guard let due, due <= now else { return nil }
        self.due = nil
        return piece
    }

    /// Records that a piece was set and more follow.
    mutating func goOn(at now: Duration) {
        piece += 1
        due = now + Self.pause
    }
}
