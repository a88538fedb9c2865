import NIOCore

#if TLS
    import NIOSSL

    /// HTTPS with a certificate from files.
    struct Encryption: Sendable {
        private let context: NIOSSLContext

        /// Encrypts one connection.
        func handler() -> any ChannelHandler { NIOSSLServerHandler(context: context) }

        /// Reads certificate and key.
        ///
        /// - Parameters:
        ///   - certificate: A file with the certificate, followed by those that signed it, in PEM.
        ///   - privateKey: A file with its key, in PEM.
        init(certificate: String, privateKey: String) throws(EncryptionFailure) {
            let chain = try Self.file(certificate, "a certificate") { try NIOSSLCertificate.fromPEMFile(certificate) }
            guard !chain.isEmpty else {
                throw EncryptionFailure(description: "\(certificate): it contains no certificate")
            }
            let key = try Self.file(privateKey, "a private key") {
                try NIOSSLPrivateKey(file: privateKey, format: .pem)
            }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            // How long to wait for a browser's goodbye: the program must end within a second.
            configuration.shutdownTimeout = .milliseconds(100)
            context = try Self.file(privateKey, "the key of \(certificate)") {
                try NIOSSLContext(configuration: configuration)
            }
        }

        private static func file<Value>(
            _ path: String, _ what: String, _ read: () throws -> Value
        ) throws(EncryptionFailure) -> Value {
            do { return try read() } catch {
                throw EncryptionFailure(description: "\(path): this is not \(what) in PEM (\(error))")
            }
        }
    }
#else
    /// A build without HTTPS (PIXELBOOP_WITHOUT_TLS in Package.swift) refuses certificates.
    struct Encryption: Sendable {
        func handler() -> any ChannelHandler { preconditionFailure("no value of this type is ever made") }

        init(certificate: String, privateKey: String) throws(EncryptionFailure) {
            throw EncryptionFailure(
                description: "\(certificate): this pixelboop-web was built without HTTPS; build it without "
                    + "PIXELBOOP_WITHOUT_TLS, or remove the certificate from the settings")
        }
    }
#endif

/// Why connections cannot be encrypted.
struct EncryptionFailure: Error, CustomStringConvertible {
    /// The file and its problem.
    let description: String
}
