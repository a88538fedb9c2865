import Testing
import Wire

@testable import pixelboop_soak

/// How a soak judges what listeners hear.
struct HeardAudioTests {
    private static func block(_ frame: Int64, pcm: [UInt8]? = [UInt8](repeating: 1, count: 3840)) -> AudioEvent {
        AudioEvent(frame: frame, usecs: 0, rate: 48_000, pcm: pcm)
    }

    /// Blocks by number.
    static func heard(_ numbers: Int64...) -> HeardAudio {
        numbers.reduce(into: HeardAudio()) { $0.hear(block($1 * 960)) }
    }

    @Test func `blocks in a row are all there`() {
        let heard = Self.heard(7, 8, 9)
        #expect(heard.blocks == 3 && heard.sounding == 3)
        #expect(heard.leaps == 0 && heard.breaks == 0 && heard.malformed == 0)
    }

    @Test func `missing blocks are distinguished from missing frames`() {
        #expect(Self.heard(7, 9, 10, 20).leaps == 2)
        var heard = Self.heard(7)
        heard.hear(Self.block(8 * 960 + 256))
        #expect(heard.leaps == 0 && heard.breaks == 1)
        heard.hear(Self.block(0))
        #expect(heard.breaks == 2, "frames that start again at 0")
    }

    @Test func `silence is a block, and half a block is none`() {
        var heard = HeardAudio()
        heard.hear(Self.block(0, pcm: nil))
        #expect(heard.blocks == 1 && heard.sounding == 0 && heard.malformed == 0)
        heard.hear(Self.block(960, pcm: [0, 0]))
        #expect(heard.malformed == 1)
    }
}
