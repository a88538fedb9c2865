import Gestures
import Grid
import Music
import NIOCore
import Session
import Wire

/// Sends subscribers the messages that do not replace each other. A client whose socket is full misses them: later they
/// would be useless.
///
/// All messages of a round are encoded once and written together: the cost is messages plus subscribers, not messages
/// times subscribers.
struct EventDelivery {
    private struct Audience: Hashable {
        var topic: Topic
        /// The only subscriber to send it to; nil for all.
        var client: ClientID?
    }

    private var lines: [Audience: ByteBuffer] = [:]

    /// Sends events to their subscribers.
    static func deliver(_ events: [SessionEvent], to clients: [Client]) {
        guard !events.isEmpty else { return }
        let delivery = EventDelivery(events)
        for client in clients where !client.isBlocked { delivery.deliver(to: client) }
    }

    private init(_ events: [SessionEvent]) {
        for event in events {
            switch event {
            case .step(let step): add(step, .step)
            case .launch(let launch): add(launch, .launch)
            case .tooltip(let tooltip, let milliseconds):
                add(
                    TooltipEvent(
                        text: tooltip.text, row: tooltip.row, milliseconds: milliseconds, what: tooltip.what),
                    .tooltip)
            case .midi(let message): add(MidiNews(message), .midi)
            case .scope(let scope): add(scope, .scope)
            case .punch(let punch): add(punch, .punch)
            case .haptic(let client, let haptic):
                add(HapticEvent(style: haptic.rawValue, intensity: haptic.intensity), .haptic, for: client)
            case .request(let client, let request): add(request, .sync, for: client)
            }
        }
    }

    private mutating func add(_ message: some NotificationMessage, _ topic: Topic, for client: ClientID? = nil) {
        lines[Audience(topic: topic, client: client), default: ByteBuffer()].writeBytes(message.line)
    }

    private func deliver(to client: Client) {
        for topic in client.subscriptions.events {
            for audience in [Audience(topic: topic), Audience(topic: topic, client: client.id)] {
                if let lines = lines[audience] { client.write(lines) }
            }
        }
    }
}
