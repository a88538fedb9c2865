import Music
import Session
import Wire

// Slots and scenes, which programs count from 1.
extension Handlers {
    static let slots: [Handler] = [
        Handler(Methods.launchSlot) { call, parameters in
            let (track, number) = parameters
            try call.perform(.change([.launch([Slot(track, number - 1)])]))
        },
        Handler(Methods.copySlot) { call, parameters in
            let (track, from, to) = parameters
            try call.copy([(Slot(track, from - 1), Slot(track, to - 1))])
        },
        Handler(Methods.clearSlot) { call, parameters in
            let (track, number) = parameters
            try call.perform(.change([.editSlots([Slot(track, number - 1): TrackCells()])]))
        },
        Handler(Methods.launchScene) { call, number in try call.perform(.change([.launch(Slot.scene(number - 1))])) },
        Handler(Methods.copyScene) { call, parameters in
            let (from, to) = parameters
            try call.copy(Array(zip(Slot.scene(from - 1), Slot.scene(to - 1))))
        },
    ]
}

extension Call {
    /// Copies the notes of slots into others, as one undo step.
    fileprivate func copy(_ pairs: [(from: Slot, to: Slot)]) throws {
        let pattern = ask { $0.document.pattern }
        let notes = pairs.map { ($0.to, pattern[$0.from]) }
        try perform(.change([.editSlots(Dictionary(uniqueKeysWithValues: notes))]))
    }
}
