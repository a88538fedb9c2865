import Testing

@testable import Configuration

struct DirectoryTests {
    @Test func `the XDG variables win over their defaults, unless they are relative or empty`() {
        let directories = BaseDirectories(environment: [
            "HOME": "/home/ada/", "XDG_STATE_HOME": "/states//", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "",
        ])
        #expect(directories.runtime == nil)
        #expect(directories.state == "/states/pixelboop")
        #expect(directories.data == "/home/ada/.local/share/pixelboop")
        #expect(directories.cache == "/home/ada/.cache/pixelboop")
        #expect(directories.configuration == ["/home/ada/.config/pixelboop", "/etc/pixelboop"])
    }

    @Test func `what systemd passes wins over the XDG variables`() {
        let directories = BaseDirectories(environment: [
            "HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/1", "XDG_STATE_HOME": "/states",
            "XDG_CACHE_HOME": "/caches", "CACHE_DIRECTORY": "/var/cache/pixelboop",
            "RUNTIME_DIRECTORY": "/run/pixelboop:/run/other", "STATE_DIRECTORY": "/var/lib/pixelboop",
            "CONFIGURATION_DIRECTORY": "/etc/pixel", "XDG_DATA_HOME": "/var/lib",
        ])
        #expect(directories.runtime == "/run/pixelboop")
        #expect(directories.state == "/var/lib/pixelboop")
        #expect(directories.data == "/var/lib/pixelboop")
        #expect(directories.cache == "/var/cache/pixelboop")
        #expect(directories.configuration == ["/etc/pixel", "/home/ada/.config/pixelboop", "/etc/pixelboop"])
    }

    @Test func `a client's own runtime directory is not where it looks for the daemon's socket`() {
        let directories = BaseDirectories(environment: [
            "XDG_RUNTIME_DIR": "/run/user/1", "RUNTIME_DIRECTORY": "/run/user/1/pixelboop-web",
        ])
        #expect(directories.controlSocket == "/run/user/1/pixelboop/control.sock")
    }

    @Test func `the first file in the usual places is read, and no other`() throws {
        let home = try Home()
        try home.write("max-clients = 1")
        try home.write("max-clients = 2", to: "unit/pixelboopd.toml")
        let environment = ["CONFIGURATION_DIRECTORY": "\(home.path)/unit"]
        #expect(
            try LoadedConfiguration<DaemonTable>(home.sources(environment: environment)).settings.maxClients == 2
        )
        #expect(try LoadedConfiguration<DaemonTable>(home.sources()).settings.maxClients == 1)
        let other = try home.write("max-clients = 3", to: "other.toml")
        #expect(
            try LoadedConfiguration<DaemonTable>(home.sources(file: other, environment: environment)).settings
                .maxClients == 3)
    }
}
