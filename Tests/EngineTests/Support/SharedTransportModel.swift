import Engine
import OfflineAudio

/// JACK's transport as its clients see it, in frames: what is asked for happens in the next cycle, and it rolls one cycle
/// after it was started or moved.
final class SharedTransportModel {
    /// What a timebase master tells at a frame of the transport; nil for nothing.
    typealias Master = (Int64) -> BarPosition?

    private(set) var frame: Int64 = 0
    private(set) var isRolling = false
    private var isStarting = false
    private var pending = TransportRequest()
    var master: Master?
    /// Whether the master is the engine under test.
    var isOurs = false
    /// Whether bar and beat are missing in the cycle in which a relocation takes effect, as they are with jackd.
    var blanksBar = false
    /// The driver's frame at which a cycle began, and the transport's then, while it rolls.
    private(set) var rolled: [(cycle: Int64, transport: Int64)] = []

    /// Lets a driver follow this transport.
    init(_ driver: OfflineDriver) {
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

    /// The transport with the first frame of a cycle; it counts on.
    private func next(_ frameCount: Int, at cycleFrame: Int64) -> OutsidePosition {
        let request = pending
        pending = TransportRequest()
        if isStarting { (isStarting, isRolling) = (false, true) }
        if request.stop { (isStarting, isRolling) = (false, false) }
        if let target = request.frame {
            frame = target
            if isRolling { (isStarting, isRolling) = (true, false) }
        }
        if request.start, !isRolling { isStarting = true }
        let isBlank = blanksBar && request.frame != nil
        let position = OutsidePosition(
            isRolling: isRolling, frame: frame, bar: isBlank ? nil : master?(frame), isOurs: isOurs)
        if isRolling {
            rolled.append((cycleFrame, frame))
            frame += Int64(frameCount)
        }
        return position
    }
}

extension TransportRequest {
    static func with(_ change: (inout TransportRequest) -> Void) -> TransportRequest {
        var request = TransportRequest()
        change(&request)
        return request
    }
}

extension BarPosition {
    /// What a usual master tells: whole ticks, cut off.
    static func ticking(_ frame: Int64, bpm: Double, rate: Double = 48_000, ticksPerBeat: Double = 1920) -> BarPosition
    {
        let beats = Double(frame) * bpm / 60 / rate
        return BarPosition(
            bar: Int32(beats / 4) + 1, beat: Int32(Int(beats) % 4) + 1,
            tick: ((beats - beats.rounded(.down)) * ticksPerBeat).rounded(.down), ticksPerBeat: ticksPerBeat, bpm: bpm)
    }
}

/// A step that started.
struct StartedStep: Equatable {
    var step: Int
    var frame: Int64
}

extension OfflineDriver {
    /// The steps that started since the last call.
    func takeSteps() -> [StartedStep] {
        takeNotices().compactMap { notice in
            if case .step(let step, let frame, _, _, _) = notice {
                StartedStep(step: Int(step), frame: frame)
            } else {
                nil
            }
        }
    }
}
