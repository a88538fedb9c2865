/// Waits until something is true that nobody reports. Asks every 5 ms, so that waiting takes no processor from what it
/// waits for; ends with an error when the test is cancelled, as by its time limit.
///
/// - Parameter isTrue: Asks.
public func waitUntil(
    isolation: isolated (any Actor)? = #isolation, _ isTrue: () async throws -> Bool
) async throws {
    while try await !isTrue() { try await Task.sleep(for: .milliseconds(5)) }
}
