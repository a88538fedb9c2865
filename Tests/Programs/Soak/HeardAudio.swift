import Wire

/// The blocks of audio that one listener was sent, and where frames were missing between them.
struct HeardAudio: Equatable, CustomStringConvertible {
    private(set) var blocks = 0
    private(set) var sounding = 0
    /// Places where whole blocks are missing, as for a listener that does not keep up.
    private(set) var leaps = 0
    /// Other places where frames are missing: the driver skipped them, or a server started counting again.
    private(set) var breaks = 0
    /// Blocks with a wrong format.
    private(set) var malformed = 0
    private var next: Int64?

    var description: String { "\(blocks) blocks, \(sounding) with sound, \(leaps) leaps and \(breaks) breaks" }

    mutating func hear(_ block: AudioEvent) {
        blocks += 1
        if block.pcm != nil { sounding += 1 }
        if block.channels != 2 || block.pcm.map({ $0.count != 4 * block.frameCount }) ?? false { malformed += 1 }
        if let next, block.frame != next {
            let missing = block.frame - next
            if missing > 0, missing.isMultiple(of: Int64(block.frameCount)) { leaps += 1 } else { breaks += 1 }
        }
        next = block.frame + Int64(block.frameCount)
    }
}
