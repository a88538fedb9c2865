import Gestures
import NIOCore
import Session
import Wire

/// Gives subscribers the messages that stand for themselves. Whose socket is full does not get them: they would be
/// of no use later.
enum EventDelivery {
    /// Sends each event to those who are to have it.
    static func deliver(_ events: [SessionEvent], to clients: [Client]) {
        for event in events {
            let (topic, line) = encoded(event)
            for client in clients where client.subscriptions.events.contains(topic) && !client.isBlocked {
                if case .haptic(let toucher, _) = event, toucher != client.id { continue }
                client.write(line)
            }
        }
    }

    private static func encoded(_ event: SessionEvent) -> (Topic, ByteBuffer) {
        switch event {
        case .step(let step, let frame, let usecs):
            (.step, ByteBuffer(bytes: StepEvent(step: step, frame: frame, usecs: usecs).line))
        case .tooltip(let tooltip, let milliseconds):
            (
                .tooltip,
                ByteBuffer(
                    bytes: TooltipEvent(text: tooltip.text, row: tooltip.row, milliseconds: milliseconds).line)
            )
        case .haptic(_, let haptic):
            (
                .haptic,
                ByteBuffer(bytes: HapticEvent(style: haptic.rawValue, intensity: haptic.intensity).line)
            )
        }
    }
}
