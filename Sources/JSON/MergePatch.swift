// JSON merge patches, RFC 7386: an object that holds what changed, null for what is gone.

extension JSONValue {
    /// The merge patch that turns one value into another; `{}` when both are equal objects.
    ///
    /// A patch cannot set a member to null: where `new` holds null in an object, applying the patch removes the member.
    public static func mergePatch(from old: JSONValue, to new: JSONValue) -> JSONValue {
        guard case .object(let old) = old, case .object(let new) = new else { return new }
        var changes: [JSONObject.Member] = []
        for member in old.members where new[member.name] == nil {
            changes.append(.init(name: member.name, value: .null))
        }
        for member in new.members {
            guard let oldValue = old[member.name] else {
                changes.append(member)
                continue
            }
            guard oldValue != member.value else { continue }
            changes.append(.init(name: member.name, value: mergePatch(from: oldValue, to: member.value)))
        }
        return .object(JSONObject(changes))
    }

    /// This value as a merge patch changes it.
    public func applying(_ patch: JSONValue) -> JSONValue {
        guard case .object(let patch) = patch else { return patch }
        var result = objectValue ?? JSONObject()
        for member in patch.members {
            result[member.name] =
                member.value.isNull ? nil : (result[member.name] ?? .null).applying(member.value)
        }
        return .object(result)
    }
}
