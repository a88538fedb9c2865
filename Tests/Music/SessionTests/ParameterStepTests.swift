import Grid
import Instrument
import Music
import Session
import TestSupport
import Testing

/// Which changes of parameters become undo steps.
@Suite struct ParameterStepTests {
    private func set(
        _ parameter: Parameter, to value: ParameterValue, by client: ClientID?, at milliseconds: Int,
        in instrument: Instrument
    ) async throws {
        try await instrument.session.perform(
            .set(parameter, on: .bass, to: value), by: client, at: .milliseconds(milliseconds))
    }

    private func undoCount(_ instrument: Instrument) async -> Int {
        await instrument.session.document.history.undoCount
    }

    @Test func `changes of one client at most 1 s apart are one step, later ones another`() async throws {
        let instrument = await Instrument()
        for (value, time) in [(-1, 0), (-2, 1000), (-3, 2000), (-4, 3001)] {
            try await set(.gain, to: .number(Double(value)), by: instrument.finger, at: time, in: instrument)
        }
        #expect(await undoCount(instrument) == 2)
        try await instrument.session.perform(.change([.undo]), at: .seconds(4))
        #expect(await instrument.session.document[.gain, .bass] == -3)
        try await instrument.session.perform(.change([.undo]), at: .seconds(4))
        #expect(await instrument.session.document[.gain, .bass] == 0)
    }

    @Test func `another client's change of the parameter, an undo, and another pattern end a step`() async throws {
        let instrument = await Instrument()
        let other = await instrument.session.connect()
        try await set(.gain, to: -1, by: instrument.finger, at: 0, in: instrument)
        try await set(.gain, to: -2, by: other, at: 100, in: instrument)
        try await set(.gain, to: -3, by: instrument.finger, at: 200, in: instrument)
        #expect(await undoCount(instrument) == 3)
        try await instrument.session.perform(.change([.undo]), at: .milliseconds(300))
        try await set(.gain, to: -4, by: instrument.finger, at: 400, in: instrument)
        #expect(await undoCount(instrument) == 3)
        var pattern = Pattern()
        pattern.name = "Other"
        try await instrument.session.perform(.change([.replacePattern(pattern)]), at: .milliseconds(500))
        try await set(.gain, to: -5, by: instrument.finger, at: 600, in: instrument)
        #expect(await undoCount(instrument) == 5)
    }

    @Test func `another parameter, and edits in between, end no step`() async throws {
        let instrument = await Instrument()
        try await set(.gain, to: -1, by: instrument.finger, at: 0, in: instrument)
        try await set(.pan, to: 0.5, by: instrument.finger, at: 100, in: instrument)
        try await instrument.tap(4, 7, at: .milliseconds(200))
        try await set(.gain, to: -2, by: instrument.finger, at: 900, in: instrument)
        #expect(await undoCount(instrument) == 3)
    }

    @Test func `controllers, mutes and settings make no steps`() async throws {
        let instrument = await Instrument()
        try await set(.gain, to: -1, by: nil, at: 0, in: instrument)
        for parameter in [Parameter.mute, .solo] {
            try await set(parameter, to: true, by: instrument.finger, at: 0, in: instrument)
        }
        try await set(.target, to: "both", by: instrument.finger, at: 0, in: instrument)
        for change in [
            DocumentChange.set(.tempo, to: 90), .set(.mutedDrums, on: .rhythm, to: .selection(["kick"])),
        ] {
            try await instrument.session.perform(.change([change]), by: instrument.finger, at: .zero)
        }
        #expect(await undoCount(instrument) == 0)
        #expect(await instrument.session.document[.mutedDrums, .rhythm] == .selection(["kick"]))
    }

    @Test func `a tap on the meter is a step that the undo key takes back and names`() async throws {
        let instrument = await Instrument()
        let meter = (Layout.meterColumn, Layout.rows(of: .bass).lowerBound)
        try await instrument.tap(meter.0, meter.1)
        #expect(await instrument.session.document[.preset, .bass] != "Saw")
        _ = await instrument.session.fetchEvents()
        try await instrument.tap(ControlCell.undo.columns.lowerBound, Layout.controlRow, at: .seconds(1))
        #expect(await instrument.session.document[.preset, .bass] == "Saw")
        let whats = await instrument.session.fetchEvents().compactMap { event in
            if case .tooltip(let tooltip, _) = event { tooltip.what } else { nil }
        }
        #expect(whats == ["the preset of Bass"])
    }

    @Test func `what is recorded as a motion is the motion's step only`() async throws {
        var document = Document()
        document.set(.tempo, to: 125)
        let instrument = await Instrument(document: document)
        await instrument.startAudio()
        try await instrument.session.perform(.transport(.record(true)), at: .zero)
        try await instrument.session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(250))
        try await set(.tone, to: 7, by: instrument.finger, at: 250, in: instrument)
        #expect(await undoCount(instrument) == 1)
        try await instrument.session.perform(.change([.undo]), at: .milliseconds(250))
        let after = await instrument.session.document
        #expect(after.pattern[.bass].motions.isEmpty && after[.tone, .bass] == 7)
    }
}
