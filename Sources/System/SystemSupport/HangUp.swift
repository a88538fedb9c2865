import Glibc

/// SIGHUP, which a terminal sends to its programs when it is closed.
public enum HangUp {
    /// Whether this process was started to outlive its terminal, as by `nohup`.
    public static var isIgnored: Bool {
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        let ignored = unsafeBitCast(SIG_IGN, to: UInt.self)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) == ignored
    }
}
