/// The systemd unit of a service, system or user, and the commands for it that remedies name.
struct ServiceUnit {
    let name: String
    let isSystem: Bool

    func systemctl(_ verb: String) -> String {
        isSystem ? "sudo systemctl \(verb) \(name)" : "systemctl --user \(verb) \(name)"
    }

    var log: String { isSystem ? "sudo journalctl -u \(name)" : "journalctl --user -u \(name)" }
}
