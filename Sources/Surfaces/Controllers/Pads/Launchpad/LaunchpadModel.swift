/// The supported Launchpads, with the numbers in Novation's programmer's references.
public enum LaunchpadModel: String, CaseIterable, Sendable {
    case miniMK3 = "Launchpad Mini MK3"
    case x = "Launchpad X"
    case proMK3 = "Launchpad Pro MK3"

    /// The byte in its messages that identifies the device.
    var device: UInt8 {
        switch self {
        case .miniMK3: 0x0d
        case .x: 0x0c
        case .proMK3: 0x0e
        }
    }

    /// A button's number, for its controller and its light.
    func number(of button: PadButton) -> UInt8 {
        switch (self, button) {
        case (.proMK3, .up): 80
        case (.proMK3, .down): 70
        case (.proMK3, .left): 91
        case (.proMK3, .right): 92
        case (.proMK3, .play): 20
        case (.proMK3, .record): 10
        // Clear and Duplicate.
        case (.proMK3, .undo): 60
        case (.proMK3, .redo): 50
        case (.proMK3, .mute): 2
        case (.proMK3, .solo): 3
        // Device.
        case (.proMK3, .lens): 7
        case (_, .up): 91
        case (_, .down): 92
        case (_, .left): 93
        case (_, .right): 94
        // The four after the arrows.
        case (_, .play): 95
        case (_, .record): 96
        case (_, .undo): 97
        case (_, .redo): 98
        case (_, .mute): 39
        case (_, .solo): 29
        case (_, .lens): 19
        }
    }

    /// The button of a number; nil for one without a function.
    func button(of number: UInt8) -> PadButton? {
        PadButton.allCases.first { self.number(of: $0) == number }
    }
}

/// The messages from and to a Launchpad in programmer mode.
public struct LaunchpadProtocol: Sendable {
    /// A press or release.
    public enum Event: Equatable, Sendable {
        case press(PadPosition)
        case release(PadPosition)
        case pressButton(PadButton)
        case releaseButton(PadButton)
    }

    public let model: LaunchpadModel

    public init(_ model: LaunchpadModel) { self.model = model }

    private func exclusive(_ content: [UInt8]) -> [UInt8] {
        [0xf0, 0x00, 0x20, 0x29, 0x02, model.device] + content + [0xf7]
    }

    /// Enters programmer mode: pads and lights are ours.
    public var enter: [UInt8] { exclusive([0x0e, 0x01]) }
    /// Leaves programmer mode: pads and lights are the device's own.
    public var leave: [UInt8] { exclusive([0x0e, 0x00]) }

    /// Sets a light: red, green and blue, 7 bits each.
    ///
    /// A message could set many lights, but a2jmidid forwards none of more than 16 bytes to ALSA.
    public func message(_ spot: Deck.Spot, _ color: UInt32) -> [UInt8] {
        let (red, green, blue) = (color >> 17 & 127, color >> 9 & 127, color >> 1 & 127)
        return exclusive([0x03, 0x03, number(of: spot), UInt8(red), UInt8(green), UInt8(blue)])
    }

    /// The number of a pad's note, or of a button's controller: tens count rows from below, ones columns from the left.
    func number(of spot: Deck.Spot) -> UInt8 {
        switch spot {
        case .pad(let pad): UInt8(10 * (8 - pad.row) + pad.column + 1)
        case .button(let button): model.number(of: button)
        }
    }

    /// Reads a message; nil for one that is not used, such as pressure.
    public func event(_ message: [UInt8]) -> Event? {
        guard message.count == 3, message[1] < 128, message[2] < 128 else { return nil }
        let isDown = message[2] > 0
        switch message[0] {
        case 0x80, 0x90:
            let (tens, ones) = message[1].quotientAndRemainder(dividingBy: 10)
            guard (1...8).contains(tens), (1...8).contains(ones) else { return nil }
            let pad = PadPosition(column: Int(ones) - 1, row: 8 - Int(tens))
            return isDown && message[0] == 0x90 ? .press(pad) : .release(pad)
        case 0xb0:
            guard let button = model.button(of: message[1]) else { return nil }
            return isDown ? .pressButton(button) : .releaseButton(button)
        default: return nil
        }
    }
}
