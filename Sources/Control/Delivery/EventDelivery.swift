import Gestures
import Grid
import Music
import NIOCore
import Session
import Wire

/// Gives subscribers the messages that stand for themselves. A client whose socket is full does not get them: they would
/// be of no use later.
///
/// All of a round are encoded once and written at once: a client that makes many of them, in front of many subscribers,
/// costs as much as its messages and the subscribers together, not as one times the other.
struct EventDelivery {
    private var lines: [Topic: ByteBuffer] = [:]
    /// What is sent to one client alone.
    private var personal: [Topic: [ClientID: ByteBuffer]] = [.haptic: [:], .sync: [:]]

    /// Sends events to those who are to have them.
    static func deliver(_ events: [SessionEvent], to clients: [Client]) {
        guard !events.isEmpty else { return }
        let delivery = EventDelivery(events)
        for client in clients where !client.isBlocked { delivery.deliver(to: client) }
    }

    private init(_ events: [SessionEvent]) {
        for event in events {
            switch event {
            case .step(let step, let tracks, let frame, let usecs):
                lines[.step, default: ByteBuffer()]
                    .writeBytes(StepEvent(step: step, tracks: tracks, frame: frame, usecs: usecs).line)
            case .launch(let slot, let frame, let usecs):
                lines[.launch, default: ByteBuffer()]
                    .writeBytes(LaunchEvent(track: slot.track, slot: slot.number, frame: frame, usecs: usecs).line)
            case .tooltip(let tooltip, let milliseconds):
                lines[.tooltip, default: ByteBuffer()]
                    .writeBytes(TooltipEvent(text: tooltip.text, row: tooltip.row, milliseconds: milliseconds).line)
            case .midi(let message):
                lines[.midi, default: ByteBuffer()].writeBytes(MidiNews(message).line)
            case .scope(let usecs, let main, let peaks):
                lines[.scope, default: ByteBuffer()]
                    .writeBytes(ScopeEvent(usecs: usecs, main: main, peaks: peaks).line)
            case .haptic(let client, let haptic):
                personal[.haptic, default: [:]][client, default: ByteBuffer()]
                    .writeBytes(HapticEvent(style: haptic.rawValue, intensity: haptic.intensity).line)
            case .request(let client, let request):
                personal[.sync, default: [:]][client, default: ByteBuffer()]
                    .writeBytes(request.line)
            }
        }
    }

    private func deliver(to client: Client) {
        for topic in client.subscriptions.events {
            guard let lines = personal[topic].map({ $0[client.id] }) ?? lines[topic] else { continue }
            client.write(lines)
        }
    }
}
