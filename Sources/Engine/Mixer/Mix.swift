import Music

/// What the ``Mixer`` leaves of a cycle for the ``Master`` to finish, besides the sum in the main ports: the sends, and
/// how the effects change. Everything that the master needs is in here, so it may finish a cycle on another thread
/// while the next one is mixed.
struct Mix: ~Copyable {
    private let place = Pinned()
    private(set) var frameCount = 0
    var reverb = SendBus()
    var delay = SendBus()
    /// The delay's times.
    var echoTimes = EchoTimes()
    /// The tracks that sound.
    var sounding = TrackSet()
    /// New settings of the master; nil if they have not changed.
    var settings: MasterSettings?
    /// Whether the effects must fade for good.
    var isLast = false

    /// Begins a cycle, with the delay's time at its start.
    mutating func begin(frameCount: Int, echoSeconds: Double) {
        self.frameCount = frameCount
        reverb.isFed = false
        delay.isFed = false
        echoTimes.begin(with: echoSeconds)
        sounding = TrackSet()
        settings = nil
        isLast = false
    }
}

/// Adds up the sends of all tracks to one effect during a cycle.
struct SendBus: ~Copyable {
    /// Whether anything was sent in the current cycle.
    var isFed = false
    private let memory = FixedArray<Float>(count: RtCycle.longest) { _ in 0 }

    /// Adds a track, unless it sends nothing.
    mutating func add(_ samples: UnsafeMutablePointer<Float>, _ send: GainLine, count: Int) {
        guard send.isOpen else { return }
        if !isFed { unsafe memory.elements.update(repeating: 0, count: count) }
        isFed = true
        var offset = 0
        while offset < count {
            let sends = send.values(offset: offset)
            let part = min(laneCount, count - offset)
            let sum = unsafe Lanes(memory.elements + offset, count: part) + Lanes(samples + offset, count: part) * sends
            unsafe sum.store(in: memory.elements + offset, count: part)
            offset += laneCount
        }
    }

    /// The sum for the current cycle.
    func samples(count: Int) -> UnsafePointer<Float> {
        if !isFed { unsafe memory.elements.update(repeating: 0, count: count) }
        return unsafe UnsafePointer(memory.elements)
    }
}
