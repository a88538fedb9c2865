import Grid
import NIOCore
import Session
import Wire

/// The newest picture of one kind, and its encodings, each made at most once however many subscribers get it.
struct FrameFeed {
    /// The newest picture that was drawn.
    private(set) var newest: NumberedFrame
    /// Counts the pictures of this kind.
    private(set) var version = 1
    /// The moment from which the newest picture could be sent.
    private(set) var ready: Duration

    /// By the number of the base; nil where both pictures look the same.
    private var updates: [Int: ByteBuffer?] = [:]
    private var keyFrame: [UInt8]?

    init(_ first: NumberedFrame, ready: Duration) {
        newest = first
        self.ready = ready
    }

    /// Takes a picture as the newest, unless it is the one it has.
    ///
    /// - Returns: Whether it is another one.
    @discardableResult
    mutating func accept(_ frame: NumberedFrame, ready: Duration) -> Bool {
        guard frame.sequence != newest.sequence else { return false }
        newest = frame
        version += 1
        self.ready = ready
        updates.removeAll(keepingCapacity: true)
        keyFrame = nil
        return true
    }

    /// The newest picture as a key frame's object.
    mutating func keyFrameBytes() -> [UInt8] {
        if let keyFrame { return keyFrame }
        let bytes = KeyFrame(sequence: newest.sequence, frame: newest.frame).bytes
        keyFrame = bytes
        return bytes
    }

    /// The line that turns an earlier picture into the newest, nil where both look the same.
    mutating func update(from base: NumberedFrame) -> ByteBuffer? {
        if let known = updates[base.sequence] { return known }
        let diff = FrameDiff(from: base.frame, to: newest.frame)
        let update = FrameUpdate(sequence: newest.sequence, base: base.sequence, diff: diff)
        let line = diff.isEmpty ? nil : ByteBuffer(bytes: update.line)
        updates[base.sequence] = .some(line)
        return line
    }
}
