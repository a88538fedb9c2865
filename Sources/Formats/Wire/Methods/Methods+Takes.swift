import JSON

// Performances that were kept.
extension Methods {
    public static let takes = Method(
        "take.list", "Lists the takes, the newest first, and says whether takes are kept.",
        result: TakeList.kind,
        example: .init(returns: .object(TakeList(takes: [.example]).json)))

    public static let starTake = Method(
        "take.star", "Keeps a take until it is deleted, or no longer.", take,
        .optional("starred", .boolean, default: true, "Whether it is kept."),
        result: .nothing, errors: [.notFound, .storage],
        example: .init(["take": 12, "starred": true], returns: [:]))

    public static let deleteTake = Method(
        "take.delete", "Deletes a take; not the current one.", take, result: .nothing, errors: [.notFound, .storage],
        example: .init(["take": 12], returns: [:]))

    static let takeMethods = [takes.description, starTake.description, deleteTake.description]

    static let take = MethodParameter<Int>.required("take", .takeNumber, "The take's number.")
}
