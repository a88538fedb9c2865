import JSON
import Music
import PatternFormat
import Session
import Wire

// How parameters move while a slot plays.
extension Handlers {
    static let motions: [Handler] = [
        Handler(Methods.setMotion) { call, parameters in
            let (track, parameter, step, value, number) = parameters
            let range = parameter.row.kind(on: track)
            if let value, range.checked(.number(value)) == nil {
                throw FieldError(field: "value", expected: range.expected, found: .number(value))
            }
            try call.editMotions(of: track, number) { $0[parameter, step] = value }
        },
        Handler(Methods.clearMotion) { call, parameters in
            let (track, parameter, number) = parameters
            try call.editMotions(of: track, number) { motions in
                for parameter in parameter.map({ [$0] }) ?? Parameter.movable { motions.clear(parameter) }
            }
        },
        Handler(Methods.motion) { call, parameters in
            let (track, number) = parameters
            let pattern = call.ask { $0.document.pattern }
            return pattern[pattern.slot(of: track, number)].motions
        },
    ]
}

extension Call {
    /// Changes how parameters of a slot move, as one undo step.
    fileprivate func editMotions(of track: Track, _ number: Int?, _ edit: (inout Motions) -> Void) throws {
        let pattern = ask { $0.document.pattern }
        let slot = pattern.slot(of: track, number)
        var notes = pattern[slot]
        edit(&notes.motions)
        try perform(.change([.edit([slot: notes])]))
    }
}

extension Pattern {
    /// A track's slot by its number, or with nil what the track plays.
    fileprivate func slot(of track: Track, _ number: Int?) -> Slot {
        number.map { Slot(track, $0 - 1) } ?? playing[track]
    }
}
