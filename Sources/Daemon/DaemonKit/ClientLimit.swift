import Logging

/// How many clients may connect: the configured number, unless the system's limit of open files is lower.
struct ClientLimit: Sendable {
    /// How many clients the limit of open files allows.
    let room: Int

    /// The number to enforce for a configured maximum; logs a reduction.
    func applied(to maximum: Int, _ logger: Logger) -> Int {
        guard room < maximum else { return maximum }
        logger.warning(
            """
            max-clients is \(maximum), but the limit of open files allows only \(room) clients \
            (ulimit -Hn; LimitNOFILE= of the unit)
            """)
        return room
    }
}
