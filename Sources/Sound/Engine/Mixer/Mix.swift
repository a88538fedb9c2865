import Music

/// What the ``Mixer`` leaves of a cycle for the ``Master`` to finish, besides the sum in the main ports: the sends, and
/// how the effects change. Everything that the master needs is in here, so it may finish a cycle on another thread
/// while the next one is mixed.
struct Mix: ~Copyable {
    private let place = Pinned()
    private(set) var frameCount = 0
    var reverb: SendBus
    var delay: SendBus
    /// The delay's times.
    var echoTimes: EchoTimes
    /// The tracks that sound.
    var sounding = TrackSet()
    /// New settings of the master; nil if they have not changed.
    var settings: MasterSettings?
    /// Whether the effects must fade for good.
    var isLast = false

    /// - Parameter longest: Frames in the longest cycle.
    init(longest: Int = RtCycle.longest) {
        reverb = SendBus(longest: longest)
        delay = SendBus(longest: longest)
        echoTimes = EchoTimes(longest: longest)
    }

    /// Begins a cycle, with the delay's time at its start.
    mutating func begin(frameCount: Int, echoSeconds: Double) {
        self.frameCount = frameCount
        reverb.begin(frameCount: frameCount)
        delay.begin(frameCount: frameCount)
        echoTimes.begin(with: echoSeconds)
        sounding = TrackSet()
        settings = nil
        isLast = false
    }
}

/// Adds up the sends of all tracks to one effect during a cycle.
struct SendBus: ~Copyable {
    /// Whether anything was sent in the current cycle.
    private(set) var isFed = false
    private var frameCount = 0
    private let memory: FixedArray<Float>

    /// - Parameter longest: Frames in the longest cycle.
    init(longest: Int) { memory = FixedArray(count: longest) { _ in 0 } }

    /// Begins a cycle.
    mutating func begin(frameCount: Int) { (self.frameCount, isFed) = (frameCount, false) }

    /// Adds a stretch of a track, unless it sends nothing.
    mutating func add(_ stretch: Stretch, _ send: GainLine) {
        guard send.isOpen else { return }
        if !isFed { clear() }
        isFed = true
        unsafe (memory.elements + stretch.offset).add(stretch.mid, send, count: stretch.count)
    }

    /// The sum for the current cycle.
    var samples: UnsafePointer<Float> {
        if !isFed { clear() }
        return unsafe UnsafePointer(memory.elements)
    }

    private func clear() { unsafe memory.elements.update(repeating: 0, count: frameCount) }
}
