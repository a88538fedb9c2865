import Music
import PixelBoopClient
import Wire

/// What the daemon keeps of what it plays.
extension SoakStage {
    /// The take that is being recorded, if any.
    func currentTake() async throws -> ListedTake? { try await client().takes().takes.first { $0.isCurrent } }

    /// takes.md: what is found of a take after a kill was played at most a second before. This is twice that.
    static let longestLossOfTake = 2.0

    /// Whether the take that was recorded before a kill is there, and hardly shorter.
    func hasRecovered(_ take: ListedTake) async throws -> Bool {
        try await client().takes().takes.contains {
            $0.number == take.number && !$0.isCurrent && $0.seconds >= take.seconds - Self.longestLossOfTake
        }
    }

    /// Renders takes of this daemon.
    var renderer: TakeRenderer {
        get throws { TakeRenderer(client: try client(), folder: path("")) }
    }
}

/// Edits that a killed daemon must have kept, since it had acknowledged them.
///
/// They bind programs on a channel that nobody else uses, so that whatever happens meanwhile changes none of them.
struct AcknowledgedEdits {
    private static let channel = 15
    private static let programs = 128

    private var number = 0

    /// Makes an edit; returns when it is so old, or so certainly stored, that it must survive a kill.
    ///
    /// - Parameter isFlushed: Whether the daemon is asked to store it; otherwise time passes.
    mutating func make(_ client: PixelBoopClient, isFlushed: Bool) async throws {
        number = (number + 1) % Self.programs
        try await client.bind(MidiBinding(on: trigger, to: MidiAction("history.undo")))
        for earlier in try await Self.triggers(of: client) where earlier != trigger { try await client.unbind(earlier) }
        if isFlushed {
            try await client.flush()
        } else {
            try await Task.sleep(for: SoakStage.longestLoss)
        }
    }

    /// Whether the last edit is there, and only that.
    func areFound(by client: PixelBoopClient) async throws -> Bool {
        try await Self.triggers(of: client) == [trigger]
    }

    private static func triggers(of client: PixelBoopClient) async throws -> [MidiTrigger] {
        try await client.bindings().map(\.trigger).filter { $0.kind == .program && $0.channel == channel }
    }

    private var trigger: MidiTrigger { MidiTrigger(.program, channel: Self.channel, number: number) }
}
