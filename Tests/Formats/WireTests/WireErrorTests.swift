import JSON
import Testing
import Wire

struct WireErrorTests {
    @Test(arguments: [
        ("no JACK server is running", "no JACK server is running", "no JACK server is running"),
        ("Parse error", "a value was expected", "Parse error: a value was expected"),
    ])
    func `a reason that the message already gives is not repeated`(message: String, reason: String, expected: String) {
        let error = WireError(.noAudio, message, data: ["reason": .string(reason)])
        #expect(error.description == expected)
    }
}
