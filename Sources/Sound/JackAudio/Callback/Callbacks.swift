import CJack
import CLinux
import Glibc
import Synchronization

// The functions that JACK calls, each with a pointer to the client's `CallbackState`. They are in a file of their own
// without actor isolation: a closure in main-actor code would trap on JACK's threads.

private typealias State = UnsafeMutablePointer<CallbackState>

@_noLocks @_noAllocation
private func state(_ context: UnsafeMutableRawPointer?) -> State? {
    unsafe context?.assumingMemoryBound(to: CallbackState.self)
}

/// Registers all callbacks of a client that is not active yet.
///
/// Flush-to-zero is set in each cycle rather than in a thread-init callback: jackd2 runs that callback on its message
/// thread as well, and can wait forever for a thread that is not ready yet.
///
/// - Returns: Whether JACK accepted the ones that the driver needs.
func registerCallbacks(of client: OpaquePointer, context: UnsafeMutableRawPointer) -> Bool {
    unsafe jack_on_info_shutdown(client, onShutdown, context)
    // PipeWire (at least up to 0.3.65) calls only this one; jackd calls one of the two.
    unsafe jack_on_shutdown(client, onPlainShutdown, context)
    let required = unsafe [
        jack_set_process_callback(client, onProcess, context),
        jack_set_buffer_size_callback(client, onBufferSize, context),
        jack_set_sample_rate_callback(client, onSampleRate, context),
    ]
    _ = unsafe jack_set_xrun_callback(client, onXrun, context)
    _ = unsafe jack_set_freewheel_callback(client, onFreewheel, context)
    _ = unsafe jack_set_latency_callback(client, onLatency, context)
    _ = unsafe jack_set_port_connect_callback(client, onPortConnect, context)
    _ = unsafe jack_set_port_registration_callback(client, onPortRegistration, context)
    return required.allSatisfy { $0 == 0 }
}

// MARK: On the audio thread

private let onProcess: JackProcessCallback = { frameCount, context in
    unsafe process(frameCount, context)
    return 0
}

/// The whole process callback, which the compiler holds to the real-time rules.
@_noLocks @_noAllocation
private func process(_ frameCount: jack_nframes_t, _ context: UnsafeMutableRawPointer?) {
    guard let state = unsafe state(context) else { return }
    clinux_flush_denormals()
    unsafe state.pointee.process(frameCount: frameCount)
}

private let onTimebase: JackTimebaseCallback = { _, _, position, _, context in
    unsafe publishBar(position, context)
}

@_noLocks @_noAllocation
private func publishBar(_ position: UnsafeMutablePointer<jack_position_t>?, _ context: UnsafeMutableRawPointer?) {
    guard let state = unsafe state(context), let position = unsafe position else { return }
    unsafe state.pointee.publishBar(position)
}

/// Becomes the server's timebase master, unless there is one.
///
/// - Returns: Whether we are.
func becomeTimebaseMaster(_ client: OpaquePointer, context: UnsafeMutableRawPointer) -> Bool {
    unsafe jack_set_timebase_callback(client, 1, onTimebase, context) == 0
}

// MARK: On JACK's notification thread

private let onShutdown: JackInfoShutdownCallback = { _, reason, context in
    guard let reason = unsafe reason else { return unsafe onPlainShutdown(context) }
    // The string is gone when this returns.
    unsafe state(context)?.pointee.noteShutdown(reason)
}

private let onPlainShutdown: JackShutdownCallback = { context in
    unsafe state(context)?.pointee.noteShutdown("JACK server has been closed")
}

private let onBufferSize: JackBufferSizeCallback = { frameCount, context in
    guard let state = unsafe state(context) else { return 0 }
    unsafe state.pointee.period.store(Int(frameCount), ordering: .relaxed)
    unsafe state.pointee.notify(.period)
    return 0
}

private let onSampleRate: JackSampleRateCallback = { rate, context in
    guard let state = unsafe state(context) else { return 0 }
    unsafe state.pointee.sampleRate.store(Int(rate), ordering: .relaxed)
    unsafe state.pointee.notify(.sampleRate)
    return 0
}

private let onXrun: JackXRunCallback = { context in
    // The driver's thread is not woken; it reads the count once a second.
    unsafe state(context)?.pointee.xruns.add(1, ordering: .relaxed)
    return 0
}

private let onFreewheel: JackFreewheelCallback = { starting, context in
    unsafe state(context)?.pointee.isFreewheeling.store(starting != 0, ordering: .relaxed)
}

private let onLatency: JackLatencyCallback = { mode, context in
    if mode == JackPlaybackLatency { unsafe state(context)?.pointee.readPlaybackLatency() }
}

private let onPortConnect: JackPortConnectCallback = { _, _, _, context in
    unsafe state(context)?.pointee.notify(.graph)
}

private let onPortRegistration: JackPortRegistrationCallback = { _, isNew, context in
    unsafe state(context)?.pointee.notify(isNew != 0 ? .graph : .portsLeft)
}
