import Dispatch
import Engine
import Music
import OfflineAudio
import Synchronization

/// Periods of the tracks, on their way from the thread that renders them to the one that mixes them.
final class TrackQueue: Sendable {
    /// Nobody wants more periods.
    struct Closed: Error {}

    private struct Period: Sendable {
        let frameCount: Int
        /// Of one track after the other.
        let samples: [Float]
        let sounding: TrackSet
    }

    private struct State {
        var periods: [Period] = []
        var isClosed = false
    }

    private static let ports = Track.allCases.map { EnginePort.track($0) }
    /// Periods that may wait: enough that neither thread waits for each of the other's.
    static let capacity = 64

    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)

    init() {
        // One that began with a value would have to end with it.
        for _ in 0..<Self.capacity { room.signal() }
    }

    /// Adds a period, when there is room.
    func add(_ period: OfflinePeriod, sounding: TrackSet) throws(Closed) {
        let next = Period(frameCount: period.frameCount, samples: Self.samples(of: period), sounding: sounding)
        room.wait()
        let isClosed = state.withLock { state in
            state.periods.append(next)
            return state.isClosed
        }
        guard !isClosed else {
            // The next one does not wait either.
            room.signal()
            throw Closed()
        }
        filled.signal()
    }

    private static func samples(of period: OfflinePeriod) -> [Float] {
        [Float](unsafeUninitializedCapacity: ports.count * period.frameCount) { samples, count in
            for port in ports {
                (samples.baseAddress! + count).initialize(from: period[port].baseAddress!, count: period.frameCount)
                count += period.frameCount
            }
        }
    }

    /// Waits for the next period, and takes its first frames, all of them but at the very end.
    func takeNext(_ frameCount: Int, into buffers: PeriodBuffers) -> TrackSet {
        filled.wait()
        let period = state.withLock { $0.periods.removeFirst() }
        room.signal()
        period.samples.withUnsafeBufferPointer { samples in
            for (index, port) in Self.ports.enumerated() {
                let first = samples.baseAddress! + index * period.frameCount
                buffers.samples(of: port).update(from: first, count: min(frameCount, period.frameCount))
            }
        }
        return period.sounding
    }

    /// Refuses any more.
    func close() {
        state.withLock { $0.isClosed = true }
        room.signal()
    }
}
