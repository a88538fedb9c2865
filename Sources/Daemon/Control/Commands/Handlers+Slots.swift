import Instrument
import Music
import Session
import Wire

// Slots and scenes, which programs count from 1.
extension Handlers {
    static let slots: [Handler] = [
        Handler(Methods.launchSlot) { call, parameters in
            let (track, number, moment) = parameters
            try call.perform(.launch(.launch(.track(track), number - 1, moment)))
        },
        Handler(Methods.copySlot) { call, parameters in
            let (track, from, to) = parameters
            try call.copy(.track(track), from: from, to: to)
        },
        Handler(Methods.clearSlot) { call, parameters in
            let (track, number) = parameters
            try call.perform(.change([.edit([Slot(track, number - 1): SlotNotes()])]))
        },
        Handler(Methods.rotateSlot) { call, parameters in
            let (track, steps, number) = parameters
            let pattern = call.ask { $0.document.pattern }
            let slot = pattern.slot(of: track, number)
            let notes = pattern[slot].rotated(by: steps, within: pattern.length(of: slot))
            try call.perform(.change([.edit([slot: notes])]))
        },
        Handler(Methods.setSlot) { call, time in
            let pattern = call.ask { $0.document.pattern }
            let slot = pattern.slot(of: time.track, time.slot)
            var notes = pattern[slot]
            if let length = time.length { notes.length = length == 0 ? nil : length }
            if let speed = time.speed { notes.speed = speed }
            try call.perform(.change([.edit([slot: notes])]))
        },
        Handler(Methods.launchScene) { call, parameters in
            let (number, moment) = parameters
            try call.perform(.launch(.launch(.scenes, number - 1, moment)))
        },
        Handler(Methods.copyScene) { call, parameters in
            let (from, to) = parameters
            try call.copy(.scenes, from: from, to: to)
        },
        Handler(Methods.chainSlots) { call, parameters in
            let (track, numbers) = parameters
            try call.perform(.launch(.chain(.track(track), numbers.map { $0 - 1 })))
        },
        Handler(Methods.chainScenes) { call, numbers in
            try call.perform(.launch(.chain(.scenes, numbers.map { $0 - 1 })))
        },
        Handler(Methods.cancelLaunch) { call, track in
            try call.perform(.launch(.cancel(track.map(SlotBank.track) ?? .scenes)))
        },
    ]
}

extension MethodCall {
    /// Copies a slot or scene, by number, to another, as one undo step.
    fileprivate func copy(_ bank: SlotBank, from: Int, to: Int) throws {
        let pattern = ask { $0.document.pattern }
        try perform(.change([.copy(bank, from: from - 1, to: to - 1, in: pattern)]))
    }
}

extension SlotNotes {
    /// The cells of the first steps rotated by some steps; those of hidden steps stay.
    fileprivate func rotated(by steps: Int, within length: Int) -> SlotNotes {
        var notes = self
        for step in 0..<length { notes[((step + steps) % length + length) % length] = self[step] }
        return notes
    }
}
