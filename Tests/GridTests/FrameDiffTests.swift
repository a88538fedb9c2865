import Grid
import TestSupport
import Testing

@Suite struct FrameDiffTests {
    @Test func `equal frames have an empty diff`() {
        #expect(FrameDiff(from: Frame(), to: Frame()).isEmpty)
    }

    @Test func `a diff names the changed cells in ascending order with their new colours`() {
        var frame = Frame()
        frame[1, 2] = Color(0x0000ff)
        frame[43, 0] = Color(0xff0000)
        #expect(
            FrameDiff(from: Frame(), to: frame).changes
                == [.init(index: 43, rgb: 0xff0000), .init(index: 89, rgb: 0x0000ff)])
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `a diff from A to B turns A into B`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var cells = (0..<1056).map { _ in UInt32.random(in: 0...3, using: &generator) }
        var frame = try #require(Frame(cells: cells))
        for _ in 0..<Int.random(in: 0...1056, using: &generator) {
            cells[Int.random(in: 0..<1056, using: &generator)] = UInt32.random(in: 0...3, using: &generator)
        }
        let next = try #require(Frame(cells: cells))
        let diff = FrameDiff(from: frame, to: next)
        #expect(diff.changes.count == zip(frame.cells, next.cells).filter { $0 != $1 }.count)
        let isApplied = frame.apply(diff)
        #expect(isApplied)
        #expect(frame == next)
    }

    @Test(arguments: [-1, 1056, Int.max, Int.min])
    func `a diff with a cell outside the grid changes nothing`(index: Int) {
        var frame = Frame()
        let diff = FrameDiff(changes: [.init(index: 0, rgb: 0xffffff), .init(index: index, rgb: 0xffffff)])
        let isApplied = frame.apply(diff)
        #expect(!isApplied)
        #expect(frame == Frame())
    }
}
