import Foundation
import GatewayTestSupport
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport
import Testing

@testable import pixelboop_web

@Suite(.timeLimit(.minutes(1)))
struct EncryptionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path
    private static let certificate = "\(folder)/localhost.pem"
    private static let key = "\(folder)/localhost.key"

    /// Sends a request over TLS.
    ///
    /// - Parameter receiver: Makes the handler of what is received.
    private func send(
        _ text: String, port: Int, _ receiver: @escaping @Sendable () -> any ChannelHandler
    ) async throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(Self.certificate)
        let context = try NIOSSLContext(configuration: configuration)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    try pipeline.addHandler(receiver())
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: text))
    }

    /// Sends a request over TLS, and reads to the end.
    private func ask(_ text: String, port: Int) async throws -> String {
        let bytes = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: ByteBuffer.self)
        try await send(text, port: port) { Collector(bytes) }
        return String(buffer: try await bytes.futureResult.get())
    }

    private func serving(_ body: (_ port: Int) async throws -> Void) async throws {
        let gateway = try ChildProgram(gateway: ["--tls-certificate", Self.certificate, "--tls-key", Self.key])
        try await body(gateway.serve())
        #expect(await gateway.end() == 0)
    }

    @Test func `with a certificate it speaks HTTPS`() async throws {
        try await serving { port in
            let answer = try await ask("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n", port: port)
            #expect(answer.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
            #expect(answer.hasSuffix("there is no /nowhere\n"))
        }
    }

    @Test func `a plain HTTP request gets no answer there`() async throws {
        try await serving { port in
            let browser = try Browser(port: port)
            try await browser.socket.send(browser.request())
            #expect(!String(decoding: await browser.socket.rest(), as: UTF8.self).contains("HTTP"))
        }
    }

    @Test func `a browser that reads nothing more does not hold up the end`() async throws {
        try await serving { port in
            let answered = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
            try await send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", port: port) { FirstRead(answered) }
            try await answered.futureResult.get()
        }
    }

    @Test func `a missing or invalid file is named`() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "empty.pem")
        let empty = directory.file("empty.pem")
        for (certificate, key, named) in [
            ("/nowhere.pem", Self.key, "/nowhere.pem"), (Self.certificate, "/nowhere.key", "/nowhere.key"),
            (empty, Self.key, empty), (Self.certificate, empty, empty), (Self.key, Self.key, Self.key),
        ] {
            let failure = #expect(throws: EncryptionFailure.self) {
                try Encryption(certificate: certificate, privateKey: key)
            }
            #expect(failure?.description.hasPrefix("\(named): ") == true)
        }
    }
}

/// Collects everything received until the other side ends.
private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var bytes = ByteBuffer()
    private let promise: EventLoopPromise<ByteBuffer>

    init(_ promise: EventLoopPromise<ByteBuffer>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes.writeImmutableBuffer(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) { promise.succeed(bytes) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Reads once, and then nothing more: it does not hear the other side's goodbye.
private final class FirstRead: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<Void>

    init(_ promise: EventLoopPromise<Void>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        promise.succeed()
    }
}
