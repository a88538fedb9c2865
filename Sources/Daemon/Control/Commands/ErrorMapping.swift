import Grid
import JSON
import Music
import PatternFormat
import Session
import Wire

extension WireError {
    /// The wire form of any error: the one place where codes are chosen.
    init(_ error: any Error) {
        switch error {
        case let error as WireError: self = error
        case let error as JSONError: self.init(error)
        case let error as FieldError: self.init(error)
        case let error as PatternError: self.init(error)
        case let error as CommandError: self.init(error)
        case let error as ServiceError: self.init(error)
        default: self.init(.internalError, "Internal error")
        }
    }

    private init(_ error: PatternError) {
        self.init(
            .invalidParams, error.description,
            data: ["parameter": "pattern", "place": .string(error.place), "reason": .string(error.message)])
    }

    private init(_ error: CommandError) {
        switch error {
        case .noAudio(let reason):
            self.init(.noAudio, reason.isEmpty ? "no JACK server" : reason, data: ["reason": .string(reason)])
        case .outOfScale(let track, let note):
            self.init(
                FieldError(field: "note", expected: "a note of the scale on \(track.name)", got: "\(note)"))
        case .beyondLength(let step, let length):
            self.init(
                FieldError(field: "step", expected: "a step below the length of \(length)", got: "\(step)"))
        case .tempoFollows(let source):
            self.init(
                .followsOutside, "the tempo follows \(source.name)", data: ["source": .string(source.name)])
        case .positionFollows(let source):
            self.init(
                .followsOutside, "the position follows \(source.name)", data: ["source": .string(source.name)])
        case .timelineHeld(let name):
            self.init(.heldByAnother, "\(name) holds the timeline", data: ["holder": .string(name)])
        case .unknownKit(let name, let known):
            self.init(
                FieldError(field: "kit", expected: "one of " + known.joined(separator: ", "), got: "\"\(name)\""))
        case .tooManyKeys(let limit):
            self.init(FieldError(field: "key", expected: "at most \(limit) held keys", got: "one more"))
        case .offGrid(let x, let y):
            let isColumn = !(x >= 0 && x < Double(Frame.columns))
            self.init(
                FieldError(
                    field: isColumn ? "x" : "y",
                    expected: "a place on the grid, from 0 to below \(isColumn ? Frame.columns : Frame.rows)",
                    got: JSONValue.number(isColumn ? x : y).text))
        }
    }

    private init(_ error: ServiceError) {
        switch error {
        case .notFound(let name):
            self.init(.notFound, "not found: \(name)", data: ["name": .string(name)])
        case .noTake(let number):
            self.init(.notFound, "there is no take \(number)", data: ["take": .integer(number)])
        case .storage(let reason):
            self.init(.storage, reason, data: ["reason": .string(reason)])
        case .invalid(let error):
            self.init(error)
        case .cancelled:
            self.init(.storage, "cancelled")
        }
    }
}
