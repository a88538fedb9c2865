import Configuration
import NIOCore
import Testing

@testable import OSCBridge

struct DestinationsTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private let tablet = ConfirmedPlace(address: "10.0.0.2", port: 9000)

    private func destinations(_ peers: String...) -> Destinations {
        Destinations(peers: peers.compactMap { PeerAddress($0) })
    }

    private func peer(_ address: String) -> OSCPeer { OSCPeer(.udp, address, port: 5000) }

    @Test(arguments: ["127.0.0.1", "127.3.2.1", "::1"])
    func `this machine need not confirm`(address: String) {
        let destinations = destinations()
        #expect(destinations.isConfirmed(ConfirmedPlace(address: address, port: 9000)))
    }

    @Test func `the configured places need not confirm, all ports of an address or one`() {
        let destinations = destinations("10.0.0.3", "10.0.0.2:9000", "fd00:0::2", "[fd00::3]:9000")
        let confirmed = [
            ("10.0.0.3", 1), ("10.0.0.3", 9000), ("10.0.0.2", 9000), ("fd00::2", 7), ("fd00::3", 9000),
        ]
        for (address, port) in confirmed {
            #expect(destinations.isConfirmed(ConfirmedPlace(address: address, port: port)))
        }
        for (address, port) in [("10.0.0.2", 9001), ("10.0.0.4", 9000), ("fd00::3", 9001)] {
            #expect(!destinations.isConfirmed(ConfirmedPlace(address: address, port: port)))
        }
    }

    @Test func `a place is confirmed by its number, sent from any of its machine's ports`() throws {
        let destinations = destinations()
        #expect(!destinations.isConfirmed(tablet))
        let number = try #require(destinations.challenge(tablet, at: start))
        #expect(!destinations.confirm(number, from: peer("10.0.0.3")))
        #expect(!destinations.isConfirmed(tablet))
        #expect(destinations.confirm(number, from: peer("10.0.0.2")))
        #expect(destinations.isConfirmed(tablet))
        #expect(!destinations.isConfirmed(ConfirmedPlace(address: "10.0.0.2", port: 9001)))
        #expect(!destinations.confirm(number, from: peer("10.0.0.2")))
    }

    @Test func `a number is sent again after a second, and another after too many wrong ones`() throws {
        let destinations = destinations()
        let number = try #require(destinations.challenge(tablet, at: start))
        #expect(destinations.challenge(tablet, at: start + .seconds(1) - .nanoseconds(1)) == nil)
        #expect(destinations.challenge(tablet, at: start + .seconds(1)) == number)
        let wrong = number == 1 ? 2 : number - 1
        for _ in 0..<Confirmations.tries { #expect(!destinations.confirm(wrong, from: peer("10.0.0.2"))) }
        #expect(!destinations.confirm(number, from: peer("10.0.0.2")))
        #expect(destinations.challenge(tablet, at: start + .seconds(2) - .nanoseconds(1)) == nil)
        let next = try #require(destinations.challenge(tablet, at: start + .seconds(2)))
        #expect(next != number)
        #expect(destinations.confirm(next, from: peer("10.0.0.2")))
    }

    @Test func `a few wrong numbers do no harm`() throws {
        let destinations = destinations()
        let number = try #require(destinations.challenge(tablet, at: start))
        for _ in 1..<Confirmations.tries { destinations.confirm(number ^ 1, from: peer("10.0.0.2")) }
        #expect(destinations.confirm(number, from: peer("10.0.0.2")))
    }

    @Test func `a machine is asked at a few of its ports within a second, and all machines together are limited`() {
        let destinations = destinations()
        let ports = (1...100).filter {
            destinations.challenge(ConfirmedPlace(address: "10.0.0.2", port: $0), at: start) != nil
        }
        #expect(ports.count == Confirmations.perHost)
        let others = (0..<2000).filter { number in
            let place = ConfirmedPlace(address: "10.1.\(number / 250).\(number % 250)", port: 1)
            return destinations.challenge(place, at: start) != nil
        }
        #expect(ports.count + others.count == Confirmations.capacity)
        #expect(destinations.challenge(ConfirmedPlace(address: "10.2.0.1", port: 1), at: start + .seconds(1)) != nil)
    }

    @Test func `what is in use is remembered`() throws {
        let destinations = destinations()
        for number in 0..<3000 {
            let place = number == 0 ? tablet : ConfirmedPlace(address: "10.1.\(number / 250).\(number % 250)", port: 1)
            let time = start + .seconds(Int64(number))
            let secret = try #require(destinations.challenge(place, at: time))
            #expect(destinations.confirm(secret, from: peer(place.address)))
            #expect(destinations.isConfirmed(tablet))
        }
        #expect(!destinations.isConfirmed(ConfirmedPlace(address: "10.1.0.1", port: 1)))
    }
}
