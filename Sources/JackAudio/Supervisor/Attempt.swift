/// One attempt to play, from the opening of a client to its closing.
///
/// Usually each follows the one before on the same thread. When a call does not return, its attempt is left alone with the
/// thread that waits for it and all that its callbacks could still reach, and the next one gets its own.
struct Attempt: Sendable {
    /// Counts those that got a thread of their own.
    let number: Int
    /// Where JACK's library is called.
    let calls: CallThread
    /// What the client's callbacks reach.
    let context: CallbackContext

    /// The first attempt.
    init(context: CallbackContext) throws(JackFailure) {
        try self.init(number: 0, context: context)
    }

    private init(number: Int, context: CallbackContext) throws(JackFailure) {
        self.number = number
        self.context = context
        calls = try CallThread(name: "jack-calls")
    }

    /// An attempt that needs nothing of this one, which may play no more.
    ///
    /// - Returns: nil while a callback of this one is in the middle of a cycle.
    func abandon() throws(JackFailure) -> Attempt? {
        guard context.retire() else { return nil }
        let next = try Attempt(number: number + 1, context: CallbackContext(after: context))
        calls.end()
        return next
    }
}
