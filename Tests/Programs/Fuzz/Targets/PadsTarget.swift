import Controllers
import Grid
import OSC

/// Messages from Launchpads and serialosc, and their effects.
struct PadsTarget: FuzzTarget {
    func run(_ input: UnsafeRawBufferPointer) {
        var cursor = InputCursor(input)
        let model = LaunchpadModel.allCases[Int(cursor.byte()) % LaunchpadModel.allCases.count]
        var decks = [Deck(.eight, isBare: false, number: 1), Deck(.eight, isBare: true, number: 2)]
        var down: Set<Int> = []
        while !cursor.isAtEnd {
            let message = (0..<Int(cursor.byte()) % 4).map { _ in cursor.byte() }
            guard let event = LaunchpadProtocol(model).event(message) else { continue }
            for index in decks.indices { check(decks[index].accept(event), &down) }
        }
        for index in decks.indices { check(decks[index].cancelAll(), &down) }
        require(down.isEmpty, "a finger is left on the grid")
        guard case .message(let message)? = try? OSCPacket(decoding: input) else { return }
        _ = MonomeProtocol.event(message)
    }

    private func check(_ actions: [Deck.Action], _ down: inout Set<Int>) {
        for case .touch(let touch) in actions {
            switch touch.phase {
            case .down: require(down.insert(touch.id).inserted, "a finger comes down twice")
            case .move: require(down.contains(touch.id), "a finger moves that is not down")
            case .up, .cancel: require(down.remove(touch.id) != nil, "a finger goes up that is not down")
            }
        }
    }
}

extension Deck {
    fileprivate mutating func accept(_ event: LaunchpadProtocol.Event) -> [Action] {
        switch event {
        case .press(let pad): press(pad)
        case .release(let pad): release(pad)
        case .pressButton(let button): press(button)
        case .releaseButton(let button): release(button)
        }
    }
}
