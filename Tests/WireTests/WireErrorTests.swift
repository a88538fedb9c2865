import JSON
import Testing
import Wire

struct WireErrorTests {
    @Test(arguments: [
        ("no JACK server is running", "no JACK server is running", "no JACK server is running"),
        ("Parse error", "a value was expected", "Parse error: a value was expected"),
    ])
    func `a reason that the sentence gives already is not said twice`(message: String, reason: String, expected: String)
    {
        let error = WireError(.noAudio, message, data: ["reason": .string(reason)])
        #expect(error.description == expected)
    }
}
