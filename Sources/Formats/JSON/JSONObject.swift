/// An object's members in the order in which their names first appeared.
///
/// Names are searched linearly: the objects in messages and files have few members. They are compared as ``ExactText``.
public struct JSONObject: Sendable {
    /// A name and its value.
    public struct Member: Sendable {
        /// The name, unique in the object.
        public var name: String
        public var value: JSONValue

        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members, each name once.
    public private(set) var members: [Member]

    /// An object without members.
    public init() {
        members = []
    }

    /// An object of the given members. The last value of a repeated name wins, at the place of the first.
    public init(_ members: [Member]) {
        self.members = members
        removeDuplicates()
    }

    /// An object with a member for each key that has a value.
    public init<Key>(_ keys: some Sequence<Key>, named name: (Key) -> String, value: (Key) -> JSONValue?) {
        self.init(keys.compactMap { key in value(key).map { Member(name: name(key), value: $0) } })
    }

    public var count: Int { members.count }

    public var isEmpty: Bool { members.isEmpty }

    /// The value with a name, nil if there is none. Setting nil removes the member; a new name goes to the end.
    public subscript(name: String) -> JSONValue? {
        get { index(of: ExactText(name)).map { members[$0].value } }
        set {
            switch (index(of: ExactText(name)), newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    private func index(of name: ExactText) -> Int? { members.firstIndex { ExactText($0.name) == name } }

    /// Larger objects use hashing, so that hostile input takes only linear time.
    private static let pairwiseLimit = 8

    private mutating func removeDuplicates() {
        if members.count <= JSONObject.pairwiseLimit {
            removeFewDuplicates()
        } else {
            removeManyDuplicates()
        }
    }

    private mutating func removeFewDuplicates() {
        var index = 1
        while index < members.count {
            let name = ExactText(members[index].name)
            if let first = members[..<index].firstIndex(where: { ExactText($0.name) == name }) {
                members[first].value = members[index].value
                members.remove(at: index)
            } else {
                index += 1
            }
        }
    }

    private mutating func removeManyDuplicates() {
        var places: [ExactText: Int] = Dictionary(minimumCapacity: members.count)
        var unique: [Member] = []
        unique.reserveCapacity(members.count)
        for member in members {
            if let place = places[ExactText(member.name)] {
                unique[place].value = member.value
            } else {
                places[ExactText(member.name)] = unique.count
                unique.append(member)
            }
        }
        members = unique
    }
}

extension JSONObject: Equatable {
    /// Whether both have the same names with equal values, in whatever order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        if zip(left.members, right.members).allSatisfy({ ExactText($0.name) == ExactText($1.name) }) {
            return zip(left.members, right.members).allSatisfy { $0.value == $1.value }
        }
        let values = Dictionary(uniqueKeysWithValues: right.members.map { (ExactText($0.name), $0.value) })
        return left.members.allSatisfy { values[ExactText($0.name)] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object; the last of equal names counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self.init(members.map { Member(name: $0, value: $1) })
    }
}
