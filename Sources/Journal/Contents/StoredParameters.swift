import JSON
import Music
import PatternFormat

// Parameters in snapshots: members by name, those of tracks in an object for each track.
//
//     {"bpm": 120, "tracks": {"melody": {"gain": 0}}}

extension ParameterValues {
    /// Some parameters as they are stored.
    func stored(_ isIncluded: (Parameter) -> Bool) -> JSONObject {
        var object = members(on: nil, Parameter.ofWhole.filter(isIncluded))
        let tracks = Track.allCases.compactMap { track in
            let members = members(on: track, Parameter.of(track).filter(isIncluded))
            return members.isEmpty ? nil : JSONObject.Member(name: track.name, value: .object(members))
        }
        if !tracks.isEmpty { object["tracks"] = .object(JSONObject(tracks)) }
        return object
    }

    /// Reads ``stored(_:)``. What is missing, not known or of a kind that cannot be used is left at its default.
    init(stored object: JSONObject) {
        self.init()
        read(object, on: nil)
        for track in Track.allCases {
            if let members = object["tracks"]?.objectValue?[track.name]?.objectValue { read(members, on: track) }
        }
    }

    private func members(on track: Track?, _ parameters: [Parameter]) -> JSONObject {
        JSONObject(parameters.map { .init(name: $0.row.name, value: self[$0, track].json) })
    }

    private mutating func read(_ members: JSONObject, on track: Track?) {
        for member in members.members {
            guard let parameter = Parameter(name: member.name), let value = ParameterValue(member.value) else {
                continue
            }
            set(parameter, on: track, to: value)
        }
    }
}
