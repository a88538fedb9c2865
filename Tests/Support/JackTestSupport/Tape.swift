import CJack
import Glibc
import Synchronization

/// The memory that a recorder's process callback writes to, all of it allocated in advance.
struct Tape: ~Copyable {
    /// The client's input ports.
    let ports: UnsafeMutablePointer<OpaquePointer?>
    /// Room in frames.
    let capacity: Int
    /// Frames recorded; everything below is complete.
    let recorded = Atomic<Int>(0)
    /// Posted after each period.
    let periodRecorded: UnsafeMutablePointer<sem_t>
    /// Whether the server is still there.
    let hasServer = Atomic<Bool>(true)
    /// The last period's highest absolute sample of each channel, as the bits of a Float.
    let peaks: UnsafeMutablePointer<Atomic<UInt32>>

    private let client: OpaquePointer
    private let channelCount: Int
    private let samples: UnsafeMutablePointer<Float>
    private let blocks: UnsafeMutablePointer<JackRecording.Block>
    private let blockCapacity: Int
    private let blockCount = Atomic<Int>(0)

    init(client: OpaquePointer, channels: Int, frames: Int) {
        self.client = client
        channelCount = channels
        capacity = frames
        blockCapacity = frames / 16 + 1
        ports = .allocate(capacity: channels)
        ports.initialize(repeating: nil, count: channels)
        peaks = .allocate(capacity: channels)
        for channel in 0..<channels { (peaks + channel).initialize(to: Atomic(0)) }
        samples = .allocate(capacity: channels * frames)
        samples.initialize(repeating: 0, count: channels * frames)
        blocks = .allocate(capacity: blockCapacity)
        blocks.initialize(repeating: JackRecording.Block(frame: 0, start: 0, count: 0), count: blockCapacity)
        periodRecorded = .allocate(capacity: 1)
        sem_init(periodRecorded, 0, 0)
    }

    deinit {
        sem_destroy(periodRecorded)
        periodRecorded.deallocate()
        peaks.deallocate()
        ports.deallocate()
        samples.deallocate()
        blocks.deallocate()
    }

    /// Copies one period, on JACK's thread.
    func append(_ frameCount: Int) {
        let start = recorded.load(ordering: .relaxed)
        let block = blockCount.load(ordering: .relaxed)
        for channel in 0..<channelCount {
            guard let port = ports[channel], let buffer = jack_port_get_buffer(port, jack_nframes_t(frameCount)) else {
                continue
            }
            let source = UnsafeBufferPointer(start: buffer.assumingMemoryBound(to: Float.self), count: frameCount)
            var peak: Float = 0
            for sample in source { peak = max(peak, abs(sample)) }
            peaks[channel].store(peak.bitPattern, ordering: .relaxed)
            if start + frameCount <= capacity {
                (samples + channel * capacity + start).update(from: source.baseAddress!, count: frameCount)
            }
        }
        if start + frameCount <= capacity, block < blockCapacity {
            blocks[block] = JackRecording.Block(frame: jack_last_frame_time(client), start: start, count: frameCount)
            blockCount.store(block + 1, ordering: .releasing)
            recorded.store(start + frameCount, ordering: .releasing)
        }
        sem_post(periodRecorded)
    }

    /// A copy of what has been recorded.
    func recording(sampleRate: Int) -> JackRecording {
        let frames = recorded.load(ordering: .acquiring)
        let channels = (0..<channelCount).map { channel in
            Array(UnsafeBufferPointer(start: samples + channel * capacity, count: frames))
        }
        let periods = Array(UnsafeBufferPointer(start: blocks, count: blockCount.load(ordering: .acquiring)))
        return JackRecording(
            sampleRate: sampleRate, channels: channels, blocks: periods.filter { $0.start + $0.count <= frames })
    }
}
