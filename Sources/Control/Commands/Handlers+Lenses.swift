import Music
import Session
import Wire

// Lenses, and what the dice decide.
extension Handlers {
    static let lenses: [Handler] = [
        Handler(Methods.setLens) { call, parameters in
            let (track, lens) = parameters
            try call.perform(.look(track, through: lens))
        },
        Handler(Methods.resetLens) { call, parameters in
            let (track, lens) = parameters
            try call.perform(.reset(track, lens))
        },
        Handler(Methods.rollDice) { call, _ in
            let seed = call.ask { $0.document.dice.nextSeed }
            try call.perform(.set(.diceSeed, to: .number(Double(seed))))
            return seed
        },
        Handler(Methods.freezeDice) { call, track in
            // The clock may be steps further than anybody has looked.
            let now = call.now
            call.ask { $0.catchUp(to: now) }
            try call.perform(.freeze(track))
        },
        Handler(Methods.setFill) { call, isOn in try call.perform(.fill(isOn)) },
    ]
}
