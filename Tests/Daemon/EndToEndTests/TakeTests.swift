import DaemonTestSupport
import Foundation
import Instrument
import JackTestSupport
import Music
import PixelBoopClient
import ProgramTestSupport
import TestNeeds
import TestSupport
import Testing
import Wire

/// The daemon keeps what is played.
@Suite(.serialized, .timeLimit(.minutes(1))) struct TakeTests {
    private func daemon(_ flags: [String] = [], in parent: URL? = nil) throws -> DaemonProcess {
        let flags = ["--driver", "internal"] + flags
        guard let parent else { return try DaemonProcess(jackServer: "pixelboop-nobody", flags: flags) }
        return try DaemonProcess(jackServer: "pixelboop-nobody", in: parent, flags: flags)
    }

    private func player(_ daemon: DaemonProcess) async throws -> PixelBoopClient {
        let client = try await daemon.connect()
        try await client.waitForState { $0.audio.status == .running }
        return client
    }

    /// The state folder's files whose names begin like this.
    private func files(_ prefix: String, of daemon: DaemonProcess) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: daemon.stateDirectory.path).filter { $0.hasPrefix(prefix) }
    }

    /// Runs the daemon for one short performance; the take ends with it.
    private func perform(_ daemon: DaemonProcess, _ then: (PixelBoopClient) async throws -> Void = { _ in })
        async throws
    {
        try await daemon.start()
        let client = try await player(daemon)
        try await client.setNote(.bass, step: 0, note: 0, .accent)
        try await client.play()
        try await client.waitForStep(2)
        try await then(client)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `what is played is a take, listed from its beginning on and kept by a restart`() async throws {
        let daemon = try daemon()
        try await daemon.start()
        let client = try await player(daemon)
        #expect(try await client.takes() == TakeList(takes: []))
        try await client.setPattern(named: "groove")
        for step in 0..<32 { try await client.setNote(.bass, step: step, note: 0, .accent) }
        let news = try await client.subscribe(to: [.take])
        try await client.play()
        try await client.waitForStep(8)
        let current = try #require(try await client.takes().takes.first)
        #expect(current.isCurrent && current.isExact && current.number == 1 && current.rate == 48_000)
        #expect(current.seconds > 0.5 && current.pattern == "groove")
        #expect(try await news.count(of: .changed, until: 2) == 2)
        let refusal = await #expect(throws: ClientError.self) { try await client.deleteTake(1) }
        #expect("\(refusal!)".contains("take 1 is still being recorded"))
        try await client.stop()
        #expect(await daemon.end(with: SIGTERM) == 0)

        try await daemon.start()
        let again = try await daemon.connect()
        let list = try await again.takes()
        #expect(list.status == .keeping && list.takes.count == 1)
        let kept = try #require(list.takes.first)
        #expect(
            !kept.isCurrent && kept.isExact && !kept.isSketch && kept.number == 1 && kept.seconds >= current.seconds)
        #expect(kept.began == current.began)
        let mode =
            try FileManager.default.attributesOfItem(
                atPath: daemon.stateDirectory.appending(path: TakeTests.database).path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    private static let database = "takes.db"

    @Test func `after a kill the take up to a second before is there`() async throws {
        let daemon = try daemon()
        try await daemon.start()
        let client = try await player(daemon)
        let steps = try await client.subscribe(to: [.step])
        try await client.play()
        var (first, last): (Int64?, Int64) = (nil, 0)
        for try await case .step(let step) in steps {
            first = first ?? step.frame
            last = step.frame
            if step.songStep ?? 0 >= 24 { break }
        }
        #expect(await daemon.end(with: SIGKILL) == -SIGKILL)
        let heard = Double(last - (first ?? 0)) / 48_000
        try await daemon.start()
        let take = try #require(try await daemon.connect().takes().takes.first)
        #expect(heard > 2 && take.seconds >= heard - 1, "\(take.seconds) s of \(heard) s")
        #expect(!take.isCurrent && take.isExact && !take.isSketch)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `the newest are kept, starred ones for good, and deleted ones are gone`() async throws {
        let daemon = try daemon(["--takes-keep", "2"])
        try await perform(daemon) { client in try await client.starTake(1) }
        for _ in 2...4 { try await perform(daemon) }
        try await daemon.start()
        let client = try await daemon.connect()
        #expect(try await client.takes().takes.map(\.number) == [4, 3, 1])
        #expect(try await client.takes().takes.map(\.isStarred) == [false, false, true])
        try await client.deleteTake(3)
        let changes: [@Sendable () async throws -> Void] = [
            { try await client.deleteTake(3) }, { try await client.starTake(3) },
        ]
        for change in changes {
            let refusal = await #expect(throws: ClientError.self) { try await change() }
            #expect("\(refusal!)".contains("there is no take 3"))
        }
        #expect(try await client.takes().takes.map(\.number) == [4, 1])
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `takes-keep 0 records nothing and makes no file, but what is there can be used`() async throws {
        let none = try daemon(["--takes-keep", "0"])
        try await perform(none) { client in
            let list = try await client.takes()
            #expect(list == TakeList(takes: [], status: .off))
            await #expect(throws: ClientError.self) { try await client.starTake(1) }
        }
        #expect(try files("takes", of: none) == [])

        let some = try daemon()
        try await perform(some)
        let off = try daemon(["--takes-keep", "0", "--state-dir", some.stateDirectory.path])
        try await perform(off) { client in
            let list = try await client.takes()
            #expect(list.status == .off && list.takes.map(\.number) == [1])
            try await client.starTake(1)
            #expect(try await client.takes().takes.map(\.isStarred) == [true])
        }
    }

    @Test func `a damaged database is set aside, and the session is unharmed`() async throws {
        let daemon = try daemon()
        try await perform(daemon) { client in try await client.setTempo(97) }
        let database = daemon.stateDirectory.appending(path: Self.database)
        try Data(String(repeating: "no database ", count: 1000).utf8).write(to: database)
        try await perform(daemon) { client in
            #expect(try await client.state().state.bpm == 97)
            let list = try await client.takes()
            #expect(list.status == .keeping && list.takes.map(\.isCurrent) == [true])
            #expect(await daemon.says("the takes that were there are set aside as takes-aside-"))
            #expect(try await client.state().state.storage == StorageState())
        }
        #expect(try files("takes-aside-", of: daemon).count { $0.hasSuffix(".db") } == 1)
    }

    @Test(.needs(.smallDisk))
    func `on a small disk takes stop, that is reported, and the session goes on`() async throws {
        let disk = try SmallDisk(size: 8 << 20)
        let daemon = try daemon(in: URL(filePath: disk.path))
        let reason = "the disk is full: 256 MiB of it are left to the session"
        try await perform(daemon) { client in
            try await client.waitForState { $0.storage.takes == reason }
            #expect(await daemon.says("takes are not kept: \(reason)"))
            #expect(try await client.takes() == TakeList(takes: [], status: .stopped, reason: reason))
            #expect(try await client.state().state.storage.status == .running)
            try await client.setTempo(97)
            try await client.flush()
            let status = try await Program.run(["status"], socket: daemon.socketPath)
            #expect(status.output.contains("takes    not kept: \(reason)"))
        }
        try await daemon.start()
        #expect(try await daemon.connect().state().state.bpm == 97)
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a disk that hangs under takes delays neither the sound, nor the session, nor the end`() async throws {
        let library = try PreloadedLibrary.hangingUnderTakes()
        let daemon = try DaemonProcess(
            jackServer: "pixelboop-nobody", flags: ["--driver", "internal"], environment: ["LD_PRELOAD": library.path])
        try await daemon.start()
        let client = try await player(daemon)
        try await client.play()
        #expect(await daemon.says("hanging"))
        try await client.waitForStep(8)
        try await client.setTempo(97)
        try await client.flush()
        let list = try await client.takes()
        #expect(
            list == TakeList(takes: [], status: .stopped, reason: "the takes cannot be used: the disk does not answer"))
        let start = ContinuousClock.now
        #expect(await daemon.end(with: SIGTERM) == 0)
        print("ended in \(ContinuousClock.now - start) with a disk that hangs under takes")
        #expect(await daemon.log.contains("the end of the last take could not be stored"))
    }

    @Test func `the command line renders, plays and deletes what was played`() async throws {
        let daemon = try daemon()
        try await perform(daemon)
        try await daemon.start()
        let directory = try TemporaryDirectory()
        func take(_ arguments: String) async throws -> Program.Outcome {
            try await Program.run(
                URL(filePath: "/bin/bash"), ["-c", "cd \(directory.path); pixelboop take \(arguments)"],
                environment: [
                    "PIXELBOOP_SOCKET": daemon.socketPath, "PATH": "\(Program.folder.path):/usr/bin:/bin",
                ])
        }
        let rendered = try await take("render 1 out.wav --format pcm24")
        #expect(rendered.status == 0 && rendered.output.hasPrefix("\(directory.file("out.wav")): 0:0"), "\(rendered)")
        #expect(try await take("play 1 > played.wav").status == 0)
        // Sizes in the head of a stream and of a file are the same, as it is sent when it is complete.
        let isSame = try directory.read("played.wav") == directory.read("out.wav")
        #expect(isSame)
        #expect(try directory.read("out.wav").count > 10_000)
        #expect(try await take("midi 1 out.mid").status == 0)
        #expect(try directory.read("out.mid").starts(with: Array("MThd".utf8)))
        #expect(try await take("star 1").status == 0)
        #expect(try await take("").output.hasPrefix("1*  20"))
        #expect(try await take("delete 1").status == 0)
        #expect(try await take("").output == "there are no takes\n")
        let refused = try await take("render 1 out.wav")
        #expect(
            refused.status == 1 && refused.complaint == "pixelboop: there is no take 1; `pixelboop take` lists them\n")
        #expect(await daemon.end(with: SIGTERM) == 0)
    }

    @Test func `a server that returns goes on with the take, and one at another rate ends it`() async throws {
        try await JackServer.with { server in
            let daemon = try DaemonProcess(jackServer: server.name)
            try await daemon.start()
            let client = try await player(daemon)
            try await client.play()
            try await client.waitForStep(4)
            await server.kill()
            try await client.waitForState { $0.audio.status == .lost }
            try await server.start()
            try await client.waitForState { $0.audio.status == .running && $0.transport.state == .playing }
            try await client.waitForStep(4)
            let one = try await client.takes().takes
            #expect(one.map(\.number) == [1] && one.map(\.isCurrent) == [true])
            await server.kill()
            try await client.waitForState { $0.audio.status == .lost }
            server.sampleRate = 44_100
            try await server.start()
            try await client.waitForState { $0.audio.rate == 44_100 && $0.transport.state == .playing }
            try await client.waitForStep(4)
            let two = try await client.takes().takes
            #expect(two.map(\.number) == [2, 1] && two.map(\.isCurrent) == [true, false])
            #expect(two.map(\.rate) == [44_100, 48_000] && two.allSatisfy(\.isExact))
            #expect(await daemon.end(with: SIGTERM) == 0)
        }
    }
}

extension PixelBoopClient {
    /// Gives the pattern a name, by saving it.
    fileprivate func setPattern(named name: String) async throws { try await save(name) }
}

extension Subscription {
    /// Counts a message until there are enough.
    fileprivate func count(of message: TakeEvent, until enough: Int) async throws -> Int {
        var count = 0
        for try await case .take(message) in self {
            count += 1
            if count == enough { break }
        }
        return count
    }
}

extension PreloadedLibrary {
    /// Never ends a write of the database of takes, and says so.
    fileprivate static func hangingUnderTakes() throws -> PreloadedLibrary {
        try PreloadedLibrary(
            """
            #include <pthread.h>
            #include <string.h>
            ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
                char name[16];
                ssize_t (*function)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
                pthread_getname_np(pthread_self(), name, sizeof name);
                if (strcmp(name, "takes")) return function(descriptor, bytes, count, offset);
                if (write(2, "hanging\\n", 8)) {}
                for (;;) pause();
            }
            """)
    }
}
