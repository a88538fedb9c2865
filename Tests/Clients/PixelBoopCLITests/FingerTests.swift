import PixelBoopClient
import TerminalGrid
import Testing

@testable import pixelboop

struct FingerTests {
    private let wide = GridPlacement(style: .twoColumns)
    private let small = GridPlacement(style: .halfBlocks)

    private func touches(_ events: [MouseEvent], on placement: GridPlacement) -> [Touch] {
        var finger = Finger()
        return events.compactMap { finger.touch(for: $0, on: placement) }
    }

    private func touch(_ phase: TouchPhase, _ column: Int, _ row: Int) -> Touch {
        Touch(id: 1, phase, column: column, row: row)
    }

    @Test func `a press, a drag and a release are down, move and up, in the middle of cells`() {
        let events = [
            MouseEvent(.press, .left, column: 8, row: 5), MouseEvent(.drag, .left, column: 9, row: 5),
            MouseEvent(.drag, .left, column: 10, row: 5), MouseEvent(.release, .left, column: 13, row: 6),
        ]
        #expect(touches(events, on: wide) == [touch(.down, 4, 5), touch(.move, 5, 5), touch(.up, 6, 6)])
    }

    @Test func `a finger may leave the grid, but not begin beyond it`() {
        let placement = GridPlacement(style: .twoColumns, column: 6, row: 2)
        let events = [
            MouseEvent(.press, .left, column: 5, row: 5), MouseEvent(.release, .left, column: 6, row: 5),
            MouseEvent(.press, .left, column: 6, row: 2), MouseEvent(.drag, .left, column: 0, row: 0),
            MouseEvent(.release, .left, column: 0, row: 0),
        ]
        #expect(touches(events, on: placement) == [touch(.down, 0, 0), touch(.move, -3, -2), touch(.up, -3, -2)])
    }

    @Test func `with half-blocks the left button plays the upper, the right one the lower row`() {
        let left = [MouseEvent(.press, .left, column: 4, row: 2), MouseEvent(.release, .left, column: 4, row: 2)]
        let right = [
            MouseEvent(.press, .right, column: 4, row: 2), MouseEvent(.drag, .right, column: 5, row: 3),
            MouseEvent(.release, nil, column: 5, row: 3),
        ]
        #expect(touches(left, on: small) == [touch(.down, 4, 4), touch(.up, 4, 4)])
        #expect(touches(right, on: small) == [touch(.down, 4, 5), touch(.move, 5, 7), touch(.up, 5, 7)])
    }

    @Test func `other buttons do not touch, neither alone nor meanwhile`() {
        let events = [
            MouseEvent(.press, .right, column: 8, row: 5), MouseEvent(.release, .right, column: 8, row: 5),
            MouseEvent(.press, .left, column: 8, row: 5), MouseEvent(.press, .middle, column: 20, row: 5),
            MouseEvent(.release, .middle, column: 20, row: 5), MouseEvent(.release, .left, column: 8, row: 5),
            MouseEvent(.drag, .left, column: 8, row: 5),
        ]
        #expect(touches(events, on: wide) == [touch(.down, 4, 5), touch(.up, 4, 5)])
    }

    @Test func `a finger is cancelled where it was, once`() {
        var finger = Finger()
        #expect(finger.cancel() == nil)
        _ = finger.touch(for: MouseEvent(.press, .left, column: 8, row: 5), on: wide)
        #expect(finger.cancel() == touch(.cancel, 4, 5))
        #expect(finger.cancel() == nil)
        #expect(finger.touch(for: MouseEvent(.release, .left, column: 8, row: 5), on: wide) == nil)
    }
}
