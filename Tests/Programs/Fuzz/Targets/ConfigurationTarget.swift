import Configuration
import Glibc

/// Configuration files.
struct ConfigurationTarget: FuzzTarget {
    /// A file that is already unlinked.
    private let descriptor: CInt

    init() {
        var path = Array("/tmp/pixelboop-fuzz-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        require(descriptor >= 0 && unlink(&path) == 0, "there is no room for a file in /tmp")
    }

    private var sources: ConfigurationSources {
        ConfigurationSources(
            flags: ConfigurationFlags(file: "/proc/self/fd/\(descriptor)"),
            environment: ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/1000"], workingDirectory: "/")
    }

    func run(_ input: UnsafeRawBufferPointer) {
        write(input)
        do throws(ConfigurationError) {
            let loaded = try LoadedConfiguration<DaemonTable>(sources)
            checkReport(of: loaded.settings)
        } catch {
            require(!error.problems.isEmpty, "a refusal without a reason")
            require(
                !ConfigurationCheck.run(sources, for: DaemonTable.self).isValid,
                "the check allows what the daemon refuses")
        }
    }

    /// The check's output is itself a configuration file with the same settings.
    private func checkReport(of configuration: DaemonSettings) {
        let check = ConfigurationCheck.run(sources, for: DaemonTable.self)
        require(check.isValid, "the check refuses what the daemon accepts: \(check.complaints)")
        Array(check.report.utf8).withUnsafeBytes(write)
        do throws(ConfigurationError) {
            let again = try LoadedConfiguration<DaemonTable>(sources).settings
            require(again == configuration, "the report says something else:\n\(check.report)")
        } catch {
            require(false, "the report is refused: \(error)\n\(check.report)")
        }
    }

    private func write(_ content: UnsafeRawBufferPointer) {
        require(ftruncate(descriptor, 0) == 0, "the file cannot be emptied")
        require(pwrite(descriptor, content.baseAddress, content.count, 0) == content.count, "the file is not written")
    }
}
