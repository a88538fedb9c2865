/// The newest frames of a bus, found by the engine's count of frames. Frames that were not written are silent.
///
/// It is a ring of blocks. Each has a stamp that says for which frames it was written last, so that neither a silence nor
/// a reset has to clear the memory.
@safe
struct FrameMemory: ~Copyable {
    private let samples: FixedArray<Float>
    private let stamps: FixedArray<BlockStamp>
    private let capacity: Int
    /// Counts the resets: what was written before is forgotten.
    private var epoch: UInt32 = 1
    /// The frame after the newest one that was written; -1 when there is none.
    private var end: Int64 = -1
    /// Its place in the ring.
    private var position = 0

    /// - Parameter longest: How many of the newest frames are kept, at least.
    init(longest: Int) {
        // The block that is being written has lost its old frames, and so has what one write goes beyond the reader.
        let blockCount = (longest + Stretch.longest + 2 * FrameMemory.block - 1) / FrameMemory.block
        capacity = blockCount * FrameMemory.block
        // Written to now, so that the pages are in memory when the callback needs them.
        samples = FixedArray(count: capacity) { _ in 0 }
        stamps = FixedArray(count: blockCount) { _ in BlockStamp() }
    }

    /// Frames in a block.
    private static var block: Int { 256 }

    var byteCount: Int { capacity * MemoryLayout<Float>.size }

    /// Forgets everything.
    mutating func reset() {
        epoch &+= 1
        end = -1
    }

    /// Writes frames that come after all that were written before.
    mutating func write(_ input: UnsafePointer<Float>, from frame: Int64, count: Int) {
        if end != frame { skip(to: frame) }
        let used = position % FrameMemory.block
        if used > 0, used &+ count < FrameMemory.block {
            // In the middle of a block.
            unsafe (samples.elements + position).copy(input, count: count)
            position &+= count
            end = frame &+ Int64(count)
            return
        }
        var done = 0
        while done < count {
            if position % FrameMemory.block == 0 { stamp(frame + Int64(done)) }
            let part = min(FrameMemory.block - position % FrameMemory.block, count - done)
            unsafe (samples.elements + position).copy(input + done, count: part)
            position += part
            if position == capacity { position = 0 }
            done += part
        }
        end = frame + Int64(count)
    }

    /// Continues at a later frame; those in between are silent.
    private mutating func skip(to frame: Int64) {
        var start = frame - frame % Int64(FrameMemory.block)
        if end >= 0, end % Int64(FrameMemory.block) != 0 {
            // The rest of the last block.
            let rest = min(Int64(FrameMemory.block) - end % Int64(FrameMemory.block), frame - end)
            unsafe (samples.elements + position).update(repeating: 0, count: Int(rest))
            start = max(start, end + rest)
        }
        position = place(of: frame)
        guard start < frame else { return }
        // The beginning of this one.
        let missing = Int(frame - start)
        unsafe (samples.elements + (position - missing)).update(repeating: 0, count: missing)
        stamp(frame)
    }

    private func stamp(_ frame: Int64) {
        stamps[position / FrameMemory.block] = BlockStamp(epoch, frame, block: FrameMemory.block)
    }

    private func place(of frame: Int64) -> Int { Int(frame % Int64(capacity)) }

    /// Reads frames; those that are not kept are silent.
    func read(_ output: UnsafeMutablePointer<Float>, from frame: Int64, count: Int) {
        var done = 0
        while done < count {
            let first = frame + Int64(done)
            guard first >= 0, first < end else {
                let missing = first < 0 ? min(count - done, Int(min(-first, Int64(count)))) : count - done
                unsafe (output + done).update(repeating: 0, count: missing)
                done += missing
                continue
            }
            // Divisions are slow.
            let age = end - first
            guard age <= Int64(capacity) else {
                let missing = Int(min(age - Int64(capacity), Int64(count - done)))
                unsafe (output + done).update(repeating: 0, count: missing)
                done += missing
                continue
            }
            let before = position - Int(age)
            let place = before < 0 ? before + capacity : before
            let part = min(FrameMemory.block - place % FrameMemory.block, min(Int(age), count - done))
            let wanted = BlockStamp(epoch, first, block: FrameMemory.block)
            if stamps[place / FrameMemory.block].isSame(as: wanted) {
                unsafe (output + done).copy(samples.elements + place, count: part)
            } else {
                unsafe (output + done).update(repeating: 0, count: part)
            }
            done += part
        }
    }
}

/// For which frames a block was written.
private struct BlockStamp: BitwiseCopyable {
    private var epoch: UInt32 = 0
    /// The low bits of the block's number; the ring holds far fewer blocks.
    private var number: UInt32 = 0

    init() {}

    init(_ epoch: UInt32, _ frame: Int64, block: Int) {
        (self.epoch, number) = (epoch, UInt32(truncatingIfNeeded: frame / Int64(block)))
    }

    func isSame(as other: BlockStamp) -> Bool { epoch == other.epoch && number == other.number }
}

extension UnsafeMutablePointer<Float> {
    /// Copies samples from other memory.
    @inline(__always)
    func copy(_ samples: UnsafePointer<Float>, count: Int) {
        unsafe UnsafeMutableRawPointer(self).copyMemory(from: samples, byteCount: count * MemoryLayout<Float>.size)
    }
}
