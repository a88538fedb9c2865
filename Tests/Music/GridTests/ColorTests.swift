import Grid
import Testing

@Suite struct ColorTests {
    @Test func `channels and 0xRRGGBB are two views of one colour`() {
        let color = Color(0xff12_3456)
        #expect(color.rgb == 0x123456)
        #expect((color.red, color.green, color.blue) == (0x12, 0x34, 0x56))
        #expect(Color(red: 0x12, green: 0x34, blue: 0x56) == color)
    }

    @Test(
        arguments: [
            (0, 1, 0.5, 0xff0000), (60, 1, 0.5, 0xffff00), (120, 1, 0.5, 0x00ff00), (180, 1, 0.5, 0x00ffff),
            (240, 1, 0.5, 0x0000ff), (300, 1, 0.5, 0xff00ff), (360, 1, 0.5, 0xff0000), (-60, 1, 0.5, 0xff00ff),
            (120, 0.7, 0.5, 0x26d926), (127.3, 0.7, 0.5, 0x26d93c), (90, 0.7, 0.5, 0x80d926),
            (256, 0.7, 0.5, 0x5626d9), (77, 0, 0.5, 0x808080), (77, 1, 1, 0xffffff), (77, 1, 0, 0x000000),
        ] as [(Double, Double, Double, UInt32)])
    func `hsl() matches CSS`(hue: Double, saturation: Double, lightness: Double, expected: UInt32) {
        #expect(Color(hue: hue, saturation: saturation, lightness: lightness) == Color(expected))
    }
}
