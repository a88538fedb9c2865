/// The gateway's settings.
public typealias WebSettings = Settings<WebTable>

public struct WebTable: SettingTable {
    public static let program = "pixelboop-web"
    public static let standardPort = 8044

    public let socketPath = Setting.socket
    public let listening = Setting(
        "listen", .addresses(port: standardPort, orNone: true), [], "An address to listen on", as: "address",
        unset: "this machine only, port \(standardPort)", example: "192.168.1.2:8044")
    public let isOpenToNetwork = Setting(
        "lan", .flag, false, "Listen on all addresses, for tablets in the room; prints the address and a QR code",
        note: "From elsewhere the token is needed.")
    public let hosts = Setting(
        "host", .list("names without a port, like \"studio.example.org\"", { isName($0) ? $0 : nil }, write: \.self),
        [],
        "A further name that browsers may use, as behind a proxy", as: "name", note: "Everyone then needs the token.",
        example: "studio.example.org")
    public let origins = Setting(
        "origin",
        .list("addresses of pages, like \"https://studio.example.org\"", { isOrigin($0) ? $0 : nil }, write: \.self),
        [],
        "The address of another site whose pages may connect", as: "origin", note: "Everyone then needs the token.",
        example: "https://studio.example.org")
    public let demandsToken = Setting(
        "token", .flag, false, "Require the token from everyone, on this machine too",
        note: "Without it any user of this machine may connect.")
    public let tokenFile = Setting(
        "token-file", .path, in: .state, file: "web-token", "Where the token is kept, readable by its owner only",
        as: "file")
    public let certificate = Setting(
        "tls-certificate", .optional(.path), nil, "The certificate for HTTPS, with those that signed it, in PEM",
        as: "file", example: "/etc/ssl/studio.pem")
    public let privateKey = Setting(
        "tls-key", .optional(.path), nil, "The certificate's private key, in PEM", as: "file",
        example: "/etc/ssl/private/studio.key")
    public let maxClients = Setting(
        "max-clients", .integer(1...4096), 64, "Pages that may be connected at once", as: "n")
    public let logLevel = Setting.logLevel

    public init() {}

    /// A certificate without a key, or the other way round.
    public static func conflict(in settings: WebSettings) -> (name: String, message: String)? {
        switch (settings.certificate, settings.privateKey) {
        case (.some, nil): ("tls-certificate", "tls-certificate needs tls-key too")
        case (nil, .some): ("tls-key", "tls-key needs tls-certificate too")
        default: nil
        }
    }

    static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch UnicodeScalar(byte) {
                case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_": true
                default: false
                }
            }
    }

    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: { text.hasPrefix($0) }) else { return false }
        let place = text.dropFirst(scheme.count)
        let port = place.drop { $0 != ":" }.dropFirst()
        return isName(String(place.prefix { $0 != ":" })) && port.allSatisfy { $0.isASCII && $0.isNumber }
    }
}
