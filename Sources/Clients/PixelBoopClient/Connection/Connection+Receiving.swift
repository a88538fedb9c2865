import Grid
import JSON
import Music
import NIOCore
import Synchronization
import Wire

// Receiving the daemon's lines, on the event loop.
extension ClientConnection {
    /// Receives a line.
    ///
    /// - Throws: Why the connection cannot continue.
    func receive(line: some Collection<UInt8>) throws(ClientError) {
        do {
            for message in try DaemonMessage.messages(parsing: line) {
                switch message {
                case .response(let response): try receive(response)
                case .notification(let notification): try receive(notification)
                }
            }
        } catch let error as ClientError {
            throw error
        } catch DaemonMessage.ReadError.json(let error) {
            throw .protocolViolation(error.description)
        } catch DaemonMessage.ReadError.message(let error) {
            throw .protocolViolation(error.description)
        } catch {
            throw .protocolViolation(String(describing: error))
        }
    }

    private func receive(_ response: Response) throws {
        guard case .integer(let id) = response.id else {
            if case .failure(let error) = response.result { receiveComplaint(error) }
            return
        }
        if state.withLock({ $0.subscribing[id] != nil }) { try receiveSubscription(response.result, id) }
        complete(id, response.result.mapError { ClientError.refused($0) })
    }

    /// An error without a call: why the connection ends, why there is no welcome, or a line that the daemon could not
    /// read. As nobody knows whose line that was, none of the calls waits any longer.
    private func receiveComplaint(_ error: WireError) {
        let calls = state.withLock { state in
            // After a line that is not JSON the connection goes on.
            if error.code != .parseError { state.announcedEnd = .refused(error) }
            return Array(state.calls.keys)
        }
        for call in calls { complete(call, .failure(ClientError.refused(error))) }
    }

    private func receive(_ notification: DaemonNotification) throws {
        switch notification {
        case .message(let message): try receive(message)
        case .state(let patch): try receiveState(patch)
        case .other: break
        }
    }

    private func receive(_ message: any NotificationMessage) throws {
        switch message {
        case let welcome as Welcome: try receiveWelcome(welcome)
        case let update as FrameUpdate: receiveFrame(update)
        case let update as LabelUpdate: receiveLabels(update)
        default:
            guard let event = ClientEvent(message) else { return }
            if case .bye(let bye) = event { state.withLock { $0.announcedEnd = .connectionLost(reason: bye.reason) } }
            distribute(event)
        }
    }

    private func receiveWelcome(_ welcome: Welcome) throws {
        guard welcome.protocolVersion == ControlProtocol.version else {
            throw ClientError.protocolViolation(
                "it speaks version \(welcome.protocolVersion), this program \(ControlProtocol.version)")
        }
        let call = state.withLock { state in
            state.welcome = welcome
            return state.welcomeCall
        }
        if let call { complete(call, .success(.null)) }
    }
}

// MARK: Picture and state

extension ClientConnection {
    /// Sends a subscriber the picture and state from the answer, which all later diffs and patches are based on.
    private func receiveSubscription(_ result: Result<JSONValue, WireError>, _ id: Int) throws {
        guard case .success(let json) = result else {
            state.withLock { $0.subscribing[id] = nil }
            return
        }
        let reply = try SubscribeReply(json: json)
        let snapshot = try reply.state.map { json throws(FieldError) in try StateSnapshot(json) }
        state.withLock { state in
            // At once: a subscriber that is removed meanwhile must be found in one place or the other.
            let feed = state.subscribing.removeValue(forKey: id)?.feed
            if let keyFrame = reply.frame { state.frames.replace(with: keyFrame) }
            if let snapshot { state.instrument = snapshot.json }
            if let labels = reply.labels { state.labels = Labels(labels) }
            if let feed { state.feeds[ObjectIdentifier(feed)] = feed }
        }
        if let snapshot { distribute(.state(snapshot)) }
        if let keyFrame = reply.frame { distribute(.frame(keyFrame)) }
        if let labels = reply.labels { distribute(.labels(Labels(labels))) }
    }

    private func receiveLabels(_ update: LabelUpdate) {
        let labels = state.withLock { state in
            state.labels.apply(update.changes)
            return state.labels
        }
        distribute(.labels(labels))
    }

    private func receiveFrame(_ update: FrameUpdate) {
        switch state.withLock({ $0.frames.apply(update) }) {
        case .picture(let keyFrame): distribute(.frame(keyFrame))
        case .gap: requestKeyFrame()
        case .nothing: break
        }
    }

    private func receiveState(_ patch: JSONValue) throws {
        guard
            let json = state.withLock({ state -> JSONValue? in
                state.instrument = state.instrument?.applying(patch)
                return state.instrument
            })
        else { return }
        distribute(.state(try StateSnapshot(json)))
    }

    private func distribute(_ event: ClientEvent) {
        for feed in state.withLock({ Array($0.feeds.values) }) { feed.send(event) }
    }
}

extension Labels {
    /// All labels, as at the start of a subscription.
    fileprivate init(_ whole: LabelUpdate) {
        self.init()
        apply(whole.changes)
    }
}
