import Testing

@testable import UnixSocket

struct SocketAccessTests {
    @Test(
        arguments: [
            (1000, [1000], nil, true), (0, [0], nil, true), (1001, [1001], nil, false), (1001, [1000], nil, false),
            (1001, [29], 29, true), (1001, [1001, 29], 29, true), (1001, [1001], 29, false), (1000, [7], 29, true),
        ] as [(UInt32, Set<UInt32>, UInt32?, Bool)])
    func `the daemon's user and root may connect, others only through the configured group`(
        user: UInt32, groups: Set<UInt32>, group: UInt32?, isAdmitted: Bool
    ) {
        let peer = PeerCredentials(user: user, groups: groups)
        #expect(SocketAccess(group: group).admits(peer, user: 1000) == isAdmitted)
    }
}
