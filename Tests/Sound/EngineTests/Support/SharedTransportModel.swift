import Engine
import OfflineAudio

/// JACK's transport as its clients see it, in frames: requests take effect in the next cycle, and it rolls one cycle
/// after it was started or moved.
final class SharedTransportModel {
    /// What a timebase master publishes at a frame of the transport; nil for nothing.
    typealias Master = (Int64) -> BarPosition?

    private(set) var frame: Int64 = 0
    private(set) var isRolling = false
    private var isStarting = false
    private var pending = OutsideRequest()
    var master: Master?
    /// Whether the engine under test is the master, as it knows. When it gives that up, it is asked for bar and beat in
    /// one more cycle, and JACK publishes them in another; then JACK publishes nothing, and has moved the transport to
    /// its current place.
    var isOurs = false {
        didSet {
            if isOurs { farewell = 0 } else if oldValue, master == nil { farewell = 2 }
        }
    }
    private var farewell = 0
    /// The bar that the engine under test last published.
    private var told: BarPosition?
    private var isRelocated = false
    private var engine: Engine
    /// Whether bar and beat are missing in the cycle in which a relocation takes effect, as with jackd.
    var blanksBar = false
    /// The driver's frame at which a cycle began, and the transport's then, while it rolls.
    private(set) var rolled: [(cycle: Int64, transport: Int64)] = []

    /// Lets a driver follow this transport.
    init(_ driver: OfflineDriver) {
        engine = driver.engine
        attach(driver)
    }

    /// Another driver follows this transport.
    func attach(_ driver: OfflineDriver) {
        engine = driver.engine
        driver.outside = { [unowned driver] in self.next($0, at: driver.frame) }
        driver.onRequest = { self.pending.add($0) }
    }

    func start() { pending.add(.with { $0.start = true }) }
    func stop() { pending.add(.with { $0.stop = true }) }
    func locate(_ frame: Int64) { pending.add(.with { $0.frame = frame }) }

    /// Rolls from the next cycle on without a cycle of starting.
    func roll(from frame: Int64 = 0) {
        self.frame = frame
        isRolling = true
    }

    /// Continues without the engine, which misses some frames.
    func skip(_ frameCount: Int) { if isRolling { advance(frameCount) } }

    /// JACK's frame numbers have 32 bits.
    private func advance(_ frameCount: Int) { frame = (frame + Int64(frameCount)) % (1 << 32) }

    /// Asks the engine under test for bar and beat of the next cycle if it is the master.
    private func askEngine() {
        defer { farewell = max(0, farewell - 1) }
        if (isOurs || farewell == 2) && (isRolling || isRelocated) { told = engine.realtime.publishBar(at: frame) }
        if isOurs || farewell == 2 { return }
        if farewell == 1 {
            pending.frame = pending.frame ?? frame
            return
        }
        told = nil
    }

    /// The transport at the first frame of a cycle; then advances it.
    private func next(_ frameCount: Int, at cycleFrame: Int64) -> OutsidePosition {
        askEngine()
        let request = pending
        pending = OutsideRequest()
        if isStarting { (isStarting, isRolling) = (false, true) }
        if request.stop { (isStarting, isRolling) = (false, false) }
        if let target = request.frame {
            frame = target
            if isOurs { told = request.bar }
            if isRolling { (isStarting, isRolling) = (true, false) }
        }
        isRelocated = request.frame != nil
        if request.start, !isRolling { isStarting = true }
        let isBlank = blanksBar && request.frame != nil && told == nil
        let position = OutsidePosition(
            isRolling: isRolling, frame: frame, bar: isBlank ? nil : told ?? master?(frame), isOurs: isOurs)
        if isRolling {
            rolled.append((cycleFrame, frame))
            advance(frameCount)
        }
        return position
    }
}

extension OutsideRequest {
    static func with(_ change: (inout OutsideRequest) -> Void) -> OutsideRequest {
        var request = OutsideRequest()
        change(&request)
        return request
    }
}

extension BarPosition {
    /// What a usual master publishes: whole ticks, rounded down.
    static func ticking(_ frame: Int64, bpm: Double, rate: Double = 48_000, ticksPerBeat: Double = 1920) -> BarPosition
    {
        let beats = Double(frame) * bpm / 60 / rate
        return BarPosition(
            bar: Int32(beats / 4) + 1, beat: Int32(Int(beats) % 4) + 1,
            tick: ((beats - beats.rounded(.down)) * ticksPerBeat).rounded(.down),
            barStartTick: Double(Int(beats / 4) * 4) * ticksPerBeat, ticksPerBeat: ticksPerBeat, bpm: bpm)
    }
}

/// A step that started.
struct StartedStep: Equatable {
    var step: Int
    var frame: Int64
}

extension OfflineDriver {
    /// The steps that started since the last call.
    func fetchSteps() -> [StartedStep] {
        fetchNotices().compactMap { notice in
            if case .step(let step) = notice {
                StartedStep(step: Int(step.step), frame: step.frame)
            } else {
                nil
            }
        }
    }
}
