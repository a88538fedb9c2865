import Grid
import Testing

@Suite struct BlendTests {
    @Test(
        arguments: [
            (0xffffff, 0x0a0a0a, 20, 0x3b3b3b),
            (0xffffff, 0x0a0a0a, 85, 0xdadada),
            (0xff0000, 0x0a0a0a, 27, 0x4c0707),
            (0xffff00, 0xff0000, 22, 0xff3800),
            (0x123456, 0xabcdef, 0, 0xabcdef),
            (0x123456, 0xabcdef, 100, 0x123456),
        ] as [(UInt32, UInt32, Int, UInt32)])
    func `a blend is rounded to 8 bits per channel`(top: UInt32, under: UInt32, percent: Int, expected: UInt32) {
        #expect(Color(top).over(Color(under), alpha: .percent(percent)) == Color(expected))
    }

    @Test(arguments: [5, 25, 45, 125, 205, 245])
    func `a channel that falls between two values is rounded up`(under: Int) {
        // 255*15 + under*85 ends in 50 for these.
        let expected = (255 * 15 + under * 85 + 50) / 100
        let blended = Color.white.over(Color(UInt32(under) * 0x010101), alpha: .percent(15))
        #expect(blended == Color(UInt32(expected) * 0x010101))
        #expect((255 * 15 + under * 85) % 100 == 50)
    }

    @Test func `an alpha is as exact as its fraction: 34/255 of 255 over nothing is 34`() {
        #expect(Color.white.over(Color(0), alpha: Alpha(34, of: 255)) == Color(0x222222))
    }
}
