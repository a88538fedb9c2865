import Grid
import Music
import Rendering
import Testing

@Suite struct MusicKeyTests {
    private static let whitening: [UInt32] = [
        0xff0000, 0xff1212, 0xff2424, 0xff3737, 0xff4949, 0xff5b5b, 0xff6d6d, 0xff8080,
    ]

    @Test(arguments: 0..<28)
    func `in fourteen equal parts of two seconds the pixel fades to half white and back`(part: Int) throws {
        let expected = (MusicKeyTests.whitening + MusicKeyTests.whitening[1...6].reversed())[part % 14]
        let middle = Duration.milliseconds(1000 * (2 * part + 1) / 14)
        #expect(try drawn(scene(), at: middle)[0, 0] == Color(expected))
    }

    @Test(arguments: 1..<14 as Range<Int64>)
    func `a part begins on the nanosecond`(part: Int64) throws {
        let start = Duration.nanoseconds((part * 1_000_000_000 + 6) / 7)
        let colors = MusicKeyTests.whitening + MusicKeyTests.whitening[1...6].reversed()
        #expect(try drawn(scene(), at: start - .nanoseconds(1))[0, 0] == Color(colors[Int(part) - 1]))
        #expect(try drawn(scene(), at: start)[0, 0] == Color(colors[Int(part)]))
    }

    @Test func `in harmonic mode it fades from the root's harmonic colour towards blue`() throws {
        var scene = try scene(key: Key(root: PitchClass(name: "A")!))
        scene.document.set(.colors, to: .choice(ColorMode.harmonic))
        let colors = (0..<8).map { drawn(scene, at: .milliseconds(1000 * (2 * $0 + 1) / 14))[0, 0].rgb }
        #expect(colors == [0xffc800, 0xedc612, 0xdbc424, 0xc8c237, 0xb6bf49, 0xa4bd5b, 0x92bb6d, 0x80b980])
    }

    @Test func `in safe mode it fades from the root's safe colour towards black`() throws {
        var scene = try scene()
        scene.document.set(.colors, to: .choice(ColorMode.safe))
        let colors = (0..<8).map { drawn(scene, at: .milliseconds(1000 * (2 * $0 + 1) / 14))[0, 0].rgb }
        #expect(colors == [0x470069, 0x420062, 0x3d005a, 0x380053, 0x33004b, 0x2e0044, 0x29003c, 0x240035])
    }
}
