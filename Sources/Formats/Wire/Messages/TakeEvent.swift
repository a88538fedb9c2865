import JSON

/// Takes have changed, or a render has come further.
public enum TakeEvent: NotificationMessage, Equatable {
    public static let method = Topic.take.rawValue

    /// A take has begun, has ended, was starred or deleted, or takes are kept again or no longer.
    case changed
    /// A render of this client has come this far, 0 to 1.
    case progress(render: Int, Double)
    /// A render of this client is complete; without a path, these are its files for `take.data`.
    case done(render: Int, RenderedSound, files: [String])
    /// A render of this client failed, or was cancelled; the reason for people.
    case failed(render: Int, String)

    /// `{"changed": true}`, `{"render": id, "progress": 0.25}`, `{"render": id, "done": true, "frames": n, "seconds": s, "drums":
    /// [], "files": ["mix"]}` or `{"render": id, "error": text}`
    public static let kind = Kind<TakeEvent>.object(
        schema: Parts.kind.schema,
        reading: { (fields) throws(FieldError) in
            let parts = try Parts.kind.value(of: .object(fields.object))
            guard let render = parts.render else { return .changed }
            if let error = parts.error { return .failed(render: render, error) }
            guard let sound = parts.sound else { return .progress(render: render, parts.progress ?? 0) }
            return .done(render: render, sound, files: parts.files ?? [])
        },
        writing: { Parts($0).json })
}

/// A message's members.
private struct Parts: WireMessage {
    var changed: Bool?
    var render: Int?
    var progress: Double?
    var isDone: Bool?
    var sound: RenderedSound?
    var files: [String]?
    var error: String?

    static let kind = Kind<Parts>.record(
        .optional(
            "changed", .boolean.meaning("The list of takes has changed; the other members are left out."), \.changed),
        .optional("render", .integer.meaning("The id of a render of this client."), \.render),
        .optional("progress", .number(in: 0...1).meaning("The share that is done."), \.progress),
        .optional("done", .boolean.meaning("The render is complete."), \.isDone),
        .embedded(Kind<RenderedSound?>.ifRendered, \.sound),
        .optional(
            "files", .array(of: .string).meaning("What `take.data` returns: mix, and with stems theirs."), \.files),
        .optional("error", .string.meaning("Why the render ended, for people."), \.error),
        make: {
            Parts(changed: $0, render: $1, progress: $2, isDone: $3, sound: $4, files: $5, error: $6)
        })
}

extension Parts {
    fileprivate init(_ event: TakeEvent) {
        self.init()
        switch event {
        case .changed: changed = true
        case .progress(let id, let share): (render, progress) = (id, share)
        case .done(let id, let result, let names): (render, isDone, sound, files) = (id, true, result, names)
        case .failed(let id, let reason): (render, error) = (id, reason)
        }
    }
}
