import CannedDaemon
import Configuration
import JSON
import Logging
import NIOCore
import NIOPosix
import OSC
import Testing
import Wire

@testable import OSCBridge

@Suite(.timeLimit(.minutes(1))) struct OSCServerTests {
    @Test func `what came by TCP is carried out, even if the connection is closed right after it`() async throws {
        let daemon = try await CannedDaemon.start()
        var settings = OSCSettings(directories: BaseDirectories(environment: [:]))
        settings.socketPath = daemon.path
        settings.listening = [ListenAddress(address: "127.0.0.1", port: 0)]
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try await OSCServer.start(settings, logger: logger)
        let port = try #require(server.places[0].split(separator: ":").last.flatMap { Int($0) })

        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port).get()
        let messages = [96, 97].map { OSCMessage("/pixelboop/tempo/set", .integer($0)) }
        try await channel.writeAndFlush(ByteBuffer(bytes: messages.flatMap { SLIP.encode($0.bytes) }))
        try await channel.close()

        let peer = try await daemon.welcome()
        var calls: [Request] = []
        while let call = try await peer.receive() {
            calls.append(call)
            var answer = Welcome(version: "canned").json
            answer["remote"] = true
            try await peer.answer(call, .success(call.method == "hello" ? .object(answer) : [:]))
        }
        let tempos = calls.filter { $0.method == "tempo.set" }.map(\.parameters)
        #expect(tempos == [.byName(["bpm": 96]), .byName(["bpm": 97])])
        await server.shutdown()
    }
}
