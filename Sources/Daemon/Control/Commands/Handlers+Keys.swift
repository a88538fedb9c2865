import Session
import Wire

// Keys that programs press.
extension Handlers {
    static let keys: [Handler] = [
        Handler(Methods.pressKey) { call, parameters in
            let (key, velocity) = parameters
            let (client, now) = (call.client.id, call.now)
            try call.ask { try $0.press(key, velocity: velocity, by: client, at: now) }
        },
        Handler(Methods.releaseKey) { call, key in
            let (client, now) = (call.client.id, call.now)
            try call.ask { try $0.release(key, by: client, at: now) }
        },
    ]
}
