import Grid
import Testing
import Wire

@testable import Control
@testable import Session

struct LabelDeliveryTests {
    @Test func `nothing is due once the last subscriber leaves`() {
        var delivery = LabelDelivery()
        delivery.isWanted = true
        let client = Client(id: ClientID(1), output: CountingOutput(), flushes: PendingFlushes())
        let start = delivery.subscribe(
            rate: 1, answeredIn: nil, at: .zero, labels: Numbered(number: 1, value: Labels()))
        client.subscriptions.labels = start.subscription
        delivery.deliver(to: [client], at: .milliseconds(1)) {
            Numbered(number: 2, value: Labels())
        } hasPicture: { _ in
            true
        }
        #expect(delivery.wake == .seconds(1))
        client.subscriptions.remove(.labels)
        delivery.isWanted = false
        #expect(delivery.wake == nil)
    }
}
