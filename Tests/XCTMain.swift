// Starts the tests, all of which are Swift Testing's. Without an entry point of ours the package manager would look for XCTest's
// in the index of the sources, and writing the index takes the compiler a quarter more time.

import Testing

@main
enum TestProgram {
    static func main() async {
        let arguments = CommandLine.arguments
        if arguments.contains("--dump-tests-json") {
            // What `swift test` asks for XCTest's tests.
            print(#"{"tests": []}"#)
        } else if arguments.contains("swift-testing") {
            await Testing.__swiftPMEntryPoint() as Never
        }
    }
}
