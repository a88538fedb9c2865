import Session
import Wire

// Effects that last as long as they are held.
extension Handlers {
    static let punchIns: [Handler] = [
        Handler(Methods.setPunchIn) { call, parameters in
            let (effect, amount, tracks) = parameters
            let (holder, now) = (call.holder, call.now)
            return try call.ask { try $0.punchIn(effect, amount: amount, on: tracks, by: holder, at: now) }
        },
        Handler(Methods.endPunchIn) { call, effect in
            let holder = call.holder
            call.ask { $0.endPunchIn(effect, by: holder) }
        },
    ]
}

extension MethodCall {
    /// Who holds what this call is about.
    fileprivate var holder: PunchInHolder { controller.map { .controller($0) } ?? .program(client.id) }
}
