import Dispatch
import Engine
import Music
import OfflineAudio
import Synchronization

/// Passes the tracks' periods from the thread that renders them to the thread that mixes them.
final class TrackQueue: Sendable {
    /// The queue accepts no more periods.
    struct Closed: Error {}

    private struct Period: Sendable {
        let frameCount: Int
        /// One track after the other.
        let samples: [Float]
        let sounding: TrackSet
    }

    private struct State {
        var periods: [Period] = []
        var isClosed = false
    }

    private static let ports = Track.allCases.map { EnginePort.track($0) }
    /// How many periods can wait: enough that the threads need not take turns.
    static let capacity = 64

    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)

    init() {
        // Dispatch traps when it frees a semaphore whose value is below its initial one.
        for _ in 0..<Self.capacity { room.signal() }
    }

    /// Waits for room, and adds a period.
    func add(_ period: OfflinePeriod, sounding: TrackSet) throws(Closed) {
        let next = Period(frameCount: period.frameCount, samples: Self.samples(of: period), sounding: sounding)
        room.wait()
        let isClosed = state.withLock { state in
            state.periods.append(next)
            return state.isClosed
        }
        guard !isClosed else {
            // A later call must not wait either.
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

    /// Waits for the next period, and copies its first frames: all of them, except at the end of the recording.
    func takeNext(_ frameCount: Int, into buffers: PeriodBuffers) -> TrackSet {
        filled.wait()
        let period = state.withLock { $0.periods.removeFirst() }
        precondition(frameCount <= period.frameCount, "tracks and mix are cut into different periods")
        room.signal()
        period.samples.withUnsafeBufferPointer { samples in
            for (index, port) in Self.ports.enumerated() {
                let first = samples.baseAddress! + index * period.frameCount
                buffers.samples(of: port).update(from: first, count: frameCount)
            }
        }
        return period.sounding
    }

    /// Refuses all further periods.
    func close() {
        state.withLock { $0.isClosed = true }
        room.signal()
    }
}
