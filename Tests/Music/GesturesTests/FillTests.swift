import Gestures
import Grid
import Instrument
import Music
import TestSupport
import Testing

/// A finger that rests on the step markers holds FILL.
@Suite struct FillTests {
    @Test(arguments: [4, 39])
    func `a finger that rests there for 200 ms holds it until it is lifted`(column: Int) {
        var rig = Rig()
        rig.play("0 down \(column),1\n199")
        #expect(!rig.machine.isFilling && rig.actions.isEmpty)
        rig.play("1")
        #expect(rig.machine.isFilling)
        #expect(rig.tooltips == [Tooltip(text: "FILL", row: 4)])
        // It may go anywhere.
        rig.play("5000 move 20,15")
        #expect(rig.machine.isFilling)
        rig.play("0 up")
        #expect(!rig.machine.isFilling && rig.commands.isEmpty)
    }

    @Test(arguments: ["0 down 3,1", "0 down 40,1", "0 down 10,22", "0 down 10,1\n100 move 12,1"])
    func `elsewhere, or if it moves, it does not hold FILL`(touch: String) {
        var rig = Rig()
        rig.play(touch + "\n1000")
        #expect(!rig.machine.isFilling && !rig.texts.contains("FILL"))
    }

    @Test func `a hold is no tap, and quick double taps play and stop as before`() {
        var rig = Rig()
        rig.play("0 down 10,1\n60 up\n100 down 10,1\n300\n340 up")
        #expect(rig.texts == ["FILL"] && rig.commands.isEmpty)
        rig.play("1000 down 10,1\n1060 up\n1100 down 10,1\n1160 up")
        #expect(rig.commands == [.transport(.play)] && !rig.machine.isFilling)
    }

    @Test func `FILL is held while anybody holds it; cancelled fingers and lost clients release it`() {
        var rig = Rig()
        for client in 1...3 { rig.send(Touch(id: 1, .down, column: 9, row: 1), by: ClientID(client)) }
        rig.wait(300)
        rig.send(Touch(id: 1, .up, column: 9, row: 1), by: ClientID(1))
        rig.send(Touch(id: 1, phase: .cancel, x: 0, y: 0), by: ClientID(2))
        #expect(rig.machine.isFilling)
        rig.machine.disconnect(ClientID(3))
        #expect(!rig.machine.isFilling)
    }

    @Test func `a client on another machine that is silent for 2 s releases it`() {
        var rig = Rig()
        var surface = TouchSurface()
        surface.isRemote = true
        rig.surfaces[ClientID(1)] = surface
        rig.play("0 down 10,1\n300")
        for _ in 0..<40 {
            rig.wait(100)
            rig.play("0 move 10,1")
        }
        #expect(rig.machine.isFilling)
        rig.wait(1999)
        #expect(rig.machine.isFilling)
        rig.wait(1)
        #expect(!rig.machine.isFilling && rig.machine.nextDeadline == nil)
        rig.play("0 move 10,1\n100 up")
        #expect(!rig.machine.isFilling && rig.commands.isEmpty)
    }

    @Test func `a client with a clock holds it by its own times`() {
        var rig = Rig()
        rig.play("0 down 10,1\n150 up", late: [0, 200])
        #expect(!rig.texts.contains("FILL"))
        rig.play("0 down 10,1\n210 move 10,1", late: [0, 0])
        #expect(rig.machine.isFilling)
    }
}
