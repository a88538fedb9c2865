import Logging

/// How many clients may connect: as many as the configuration allows, where the system's limit of open files allows it.
struct ClientLimit: Sendable {
    /// How many clients the limit of open files suffices for.
    let room: Int

    /// The number that is held to, where the configuration asks for another one.
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
