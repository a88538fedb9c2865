import Grid
import Music
import Rendering
import TestSupport
import Testing

@Suite struct ControlsRowTests {
    @Test func `row 0 of an empty instrument in C major at 120 BPM and 32 steps`() {
        let legend = Legend([
            ".": 0x0a0a0a, "C": 0xff0000, "P": 0x44ff44, "h": 0x333333, "M": 0xffaa00, "n": 0x002244, "p": 0x220044,
            "1": 0x4c1a07, "2": 0x4c2d07, "3": 0x4c3d07, "4": 0x4c4c07, "5": 0x313f15, "6": 0x074c07, "7": 0x074c35,
            "8": 0x074c4c, "9": 0x07354c, "A": 0x071e4c, "B": 0x2d1344, "G": 0x666666, "a": 0x444444, "T": 0x26d926,
            "L": 0x5626d9, "s": 0x222222, "X": 0x662222,
        ])
        #expect(
            legend.text(of: drawn(Scene(document: Document())), rows: 0...0)
                == "CPP.hh.Mnp.C123456789AB.G.aTa.aLa.ssss..XXXX")
    }

    @Test func `play/stop is orange when armed, pink when it records`() throws {
        var scene = try scene()
        scene.isRecording = true
        #expect(drawn(scene).row(0, 1...2) == [0xff8800, 0xff8800])
        scene.isPlaying = true
        #expect(drawn(scene).row(0, 1...2) == [0xff0088, 0xff0088])
    }

    @Test(arguments: ColorMode.allCases)
    func `play/stop shows whether recording is armed, playing or not`(mode: ColorMode) throws {
        var scene = try scene()
        scene.document.set(.colors, to: .choice(mode))
        for (isPlaying, isRecording) in [(false, false), (true, false), (false, true), (true, true)] {
            (scene.isPlaying, scene.isRecording) = (isPlaying, isRecording)
            #expect(PlayColor.isArmed(drawn(scene)[1, 0]) == isRecording)
        }
    }

    @Test(
        arguments: [
            (20, 0xd96226), (90, 0x80d926), (120, 0x26d926), (127.3, 0x26d93c), (200, 0x269dd9), (240, 0x2626d9),
            (300, 0xd926d9),
        ] as [(Double, UInt32)])
    func `the tempo's hue is its beats per minute, fractions included`(bpm: Double, expected: UInt32) throws {
        var scene = try scene()
        scene.document.set(.tempo, to: .number(bpm))
        #expect(drawn(scene).row(0, 26...28) == [0x444444, expected, 0x444444])
    }

    @Test(
        arguments: [(8, 0xcdd926), (12, 0x6ed926), (16, 0x26d93e), (24, 0x26b5d9), (32, 0x5626d9)] as [(Int, UInt32)])
    func `the length's hue is eight times its steps`(steps: Int, expected: UInt32) throws {
        #expect(try drawn(scene(length: steps)).row(0, 30...32) == [0x444444, expected, 0x444444])
    }

    @Test func `the scrub indicator is green while there is something to catch, unless somebody scrubs`() throws {
        var scene = try scene()
        scene.canCatch = true
        #expect(drawn(scene).row(0, 34...37) == Array(repeating: 0x335533, count: 4))
        scene.scrubChanges = 2
        #expect(drawn(scene).row(0, 34...37) == Array(repeating: 0x0000ff, count: 4))
    }

    @Test(
        arguments: [
            (nil, 0x222222), (0, 0xff0000), (1, 0xff00ff), (2, 0x0000ff), (3, 0x00ffff), (4, 0x00ff00), (5, 0xffff00),
        ] as [(Int?, UInt32)])
    func `while scrubbing, the indicator moves backwards through the hues, 60 degrees per change`(
        changes: Int?, expected: UInt32
    ) throws {
        var scene = try scene()
        scene.scrubChanges = changes
        #expect(drawn(scene).row(0, 34...37) == Array(repeating: expected, count: 4))
    }
}
