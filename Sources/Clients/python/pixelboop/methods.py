"""The methods and notifications of the control socket. Written by generate.py from docs/openrpc.json."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal, NotRequired, TypedDict, overload

from .subscription import Subscription


class KeyFrame(TypedDict):
    seq: int
    cols: Literal[44]
    rows: Literal[24]
    rgb: list[int]


class Transport(TypedDict):
    state: Literal["stopped", "playing", "paused"]
    step: int
    record: bool


class Motions(TypedDict):
    parameters: list[Literal["gain", "pan", "tone", "reverb", "delay"]]
    revision: int


class Slot(TypedDict):
    length: NotRequired[int]
    speed: NotRequired[Literal["1/4", "1/3", "1/2", "2/3", "3/4", "1", "4/3", "3/2", "2", "3", "4"]]
    motions: NotRequired[Motions]


class Slots(TypedDict):
    playing: int
    queued: NotRequired[int]
    chain: list[int]
    filled: list[int]
    slots: NotRequired[dict[str, Slot]]


class Scenes(TypedDict):
    queued: NotRequired[int]
    chain: list[int]


class History(TypedDict):
    undo: int
    redo: int


class StateReverb(TypedDict):
    time: float
    level: float


class StateDelay(TypedDict):
    steps: int
    feedback: float
    level: float


class StateSync(TypedDict):
    source: Literal["internal", "jack", "midi", "timeline", "auto"]
    lead: list[Literal["jack", "midi"]]
    quantum: int
    startStop: bool
    offsetIn: float
    offsetOut: float
    latency: Literal["none", "compensate"]
    following: Literal["internal", "jack", "midi", "timeline", "auto"]
    leading: list[Literal["jack", "midi"]]
    bpm: float
    locked: bool
    holder: NotRequired[str]
    holderBpm: NotRequired[float]
    peers: NotRequired[int]
    secondClock: NotRequired[bool]


class StateLaunch(TypedDict):
    quantum: Literal["loop", "bar", "beat", "step"]


class StateDice(TypedDict):
    seed: int


class StateTracksMelody(TypedDict):
    mute: bool
    solo: bool
    gain: float
    pan: float
    tone: float
    preset: Literal["Sine", "Pluck", "Lead", "Pulse", "Bell", "Tine", "Mallet", "Reed"]
    reverb: float
    delay: float
    duck: float
    target: Literal["internal", "midi", "both"]
    channel: int
    velocityNormal: int
    velocityAccent: int
    arm: bool
    accents: Literal["hard", "all", "none"]


class StateTracksChords(TypedDict):
    mute: bool
    solo: bool
    gain: float
    pan: float
    tone: float
    preset: Literal["Triangle", "Warm pad", "E-piano", "Organ", "Stab", "Strings", "Glass", "Hollow"]
    reverb: float
    delay: float
    duck: float
    target: Literal["internal", "midi", "both"]
    channel: int
    velocityNormal: int
    velocityAccent: int
    arm: bool
    accents: Literal["hard", "all", "none"]


class StateTracksBass(TypedDict):
    mute: bool
    solo: bool
    gain: float
    pan: float
    tone: float
    preset: Literal["Saw", "Sub+", "Acid", "Round", "FM bass", "Reese", "Square", "Pick"]
    reverb: float
    delay: float
    duck: float
    target: Literal["internal", "midi", "both"]
    channel: int
    velocityNormal: int
    velocityAccent: int
    arm: bool
    accents: Literal["hard", "all", "none"]


class StateTracksRhythm(TypedDict):
    mute: bool
    mutedDrums: list[Literal["kick", "kick2", "low tom", "snare", "snare2", "rimshot", "clap", "closed hat", "open hat", "crash", "ride", "cowbell"]]
    solo: bool
    gain: float
    pan: float
    tone: float
    kit: str
    reverb: float
    delay: float
    duck: float
    target: Literal["internal", "midi", "both"]
    channel: int
    velocityNormal: int
    velocityAccent: int
    arm: bool
    accents: Literal["hard", "all", "none"]


class StateTracks(TypedDict):
    melody: StateTracksMelody
    chords: StateTracksChords
    bass: StateTracksBass
    rhythm: StateTracksRhythm


class StateSlots(TypedDict):
    melody: Slots
    chords: Slots
    bass: Slots
    rhythm: Slots


class StateLenses(TypedDict):
    melody: NotRequired[Literal["level", "chance", "cycle", "ratchet", "nudge", "length", "speed", "gain", "pan", "tone", "reverb", "delay"]]
    chords: NotRequired[Literal["level", "chance", "cycle", "ratchet", "nudge", "length", "speed", "gain", "pan", "tone", "reverb", "delay"]]
    bass: NotRequired[Literal["level", "chance", "cycle", "ratchet", "nudge", "length", "speed", "gain", "pan", "tone", "reverb", "delay"]]
    rhythm: NotRequired[Literal["level", "chance", "cycle", "ratchet", "nudge", "length", "speed", "gain", "pan", "tone", "reverb", "delay"]]


class StatePattern(TypedDict):
    name: str


class StateAudio(TypedDict):
    driver: Literal["jack", "internal"]
    status: Literal["running", "no server", "lost", "off"]
    reason: str
    rate: NotRequired[int]
    period: NotRequired[int]


class StateStorage(TypedDict):
    status: Literal["running", "failing"]
    reason: str


class State(TypedDict):
    transport: Transport
    bpm: float
    swing: float
    scale: Literal["major", "minor", "penta"]
    root: Literal["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    length: int
    colors: Literal["chromatic", "harmonic", "safe"]
    ghosts: bool
    reverb: StateReverb
    delay: StateDelay
    sync: StateSync
    launch: StateLaunch
    dice: StateDice
    tracks: StateTracks
    slots: StateSlots
    scenes: Scenes
    lenses: StateLenses
    fill: bool
    history: History
    kits: list[str]
    pattern: StatePattern
    audio: StateAudio
    storage: StateStorage


class LabelUpdate(TypedDict):
    seq: int
    base: NotRequired[int]
    cells: list[int | str]


class Track(TypedDict):
    mute: bool
    mutedDrums: NotRequired[list[Literal["kick", "kick2", "low tom", "snare", "snare2", "rimshot", "clap", "closed hat", "open hat", "crash", "ride", "cowbell"]]]
    solo: bool
    gain: float
    pan: float
    tone: float
    preset: NotRequired[Literal["Sine", "Pluck", "Lead", "Pulse", "Bell", "Tine", "Mallet", "Reed", "Triangle", "Warm pad", "E-piano", "Organ", "Stab", "Strings", "Glass", "Hollow", "Saw", "Sub+", "Acid", "Round", "FM bass", "Reese", "Square", "Pick"]]
    kit: NotRequired[str]
    reverb: float
    delay: float
    duck: float
    target: Literal["internal", "midi", "both"]
    channel: int
    velocityNormal: int
    velocityAccent: int
    arm: bool
    accents: Literal["hard", "all", "none"]


class PatternTracksMelodyNotesItem(TypedDict):
    col: int
    row: NotRequired[int]
    pitch: int
    velocity: Literal["normal", "accent", "sustain"]
    level: NotRequired[int]
    chance: NotRequired[int]
    cycle: NotRequired[Literal["always", "1:2", "2:2", "1:3", "2:3", "3:3", "1:4", "2:4", "3:4", "4:4", "1:5", "2:5", "3:5", "4:5", "5:5", "1:6", "2:6", "3:6", "4:6", "5:6", "6:6", "1:7", "2:7", "3:7", "4:7", "5:7", "6:7", "7:7", "1:8", "2:8", "3:8", "4:8", "5:8", "6:8", "7:8", "8:8", "first", "not first", "fill", "not fill"]]
    ratchet: NotRequired[int]
    nudge: NotRequired[int]


class PatternTracksMelodyMotion(TypedDict):
    gain: NotRequired[list[list[float]]]
    pan: NotRequired[list[list[float]]]
    tone: NotRequired[list[list[float]]]
    reverb: NotRequired[list[list[float]]]
    delay: NotRequired[list[list[float]]]


class PatternTracksMelody(TypedDict):
    type: NotRequired[Literal['melody']]
    notes: NotRequired[list[PatternTracksMelodyNotesItem]]
    length: NotRequired[int]
    speed: NotRequired[Literal["1/4", "1/3", "1/2", "2/3", "3/4", "1", "4/3", "3/2", "2", "3", "4"]]
    motion: NotRequired[PatternTracksMelodyMotion]


class PatternTracksChordsNotesItem(TypedDict):
    col: int
    row: NotRequired[int]
    pitch: int
    velocity: Literal["normal", "accent", "sustain"]
    level: NotRequired[int]
    chance: NotRequired[int]
    cycle: NotRequired[Literal["always", "1:2", "2:2", "1:3", "2:3", "3:3", "1:4", "2:4", "3:4", "4:4", "1:5", "2:5", "3:5", "4:5", "5:5", "1:6", "2:6", "3:6", "4:6", "5:6", "6:6", "1:7", "2:7", "3:7", "4:7", "5:7", "6:7", "7:7", "1:8", "2:8", "3:8", "4:8", "5:8", "6:8", "7:8", "8:8", "first", "not first", "fill", "not fill"]]
    ratchet: NotRequired[int]
    nudge: NotRequired[int]


class PatternTracksChords(TypedDict):
    type: NotRequired[Literal['chords']]
    notes: NotRequired[list[PatternTracksChordsNotesItem]]
    length: NotRequired[int]
    speed: NotRequired[Literal["1/4", "1/3", "1/2", "2/3", "3/4", "1", "4/3", "3/2", "2", "3", "4"]]
    motion: NotRequired[PatternTracksMelodyMotion]


class PatternTracksBassNotesItem(TypedDict):
    col: int
    row: NotRequired[int]
    pitch: int
    velocity: Literal["normal", "accent", "sustain"]
    level: NotRequired[int]
    chance: NotRequired[int]
    cycle: NotRequired[Literal["always", "1:2", "2:2", "1:3", "2:3", "3:3", "1:4", "2:4", "3:4", "4:4", "1:5", "2:5", "3:5", "4:5", "5:5", "1:6", "2:6", "3:6", "4:6", "5:6", "6:6", "1:7", "2:7", "3:7", "4:7", "5:7", "6:7", "7:7", "1:8", "2:8", "3:8", "4:8", "5:8", "6:8", "7:8", "8:8", "first", "not first", "fill", "not fill"]]
    ratchet: NotRequired[int]
    nudge: NotRequired[int]


class PatternTracksBass(TypedDict):
    type: NotRequired[Literal['bass']]
    notes: NotRequired[list[PatternTracksBassNotesItem]]
    length: NotRequired[int]
    speed: NotRequired[Literal["1/4", "1/3", "1/2", "2/3", "3/4", "1", "4/3", "3/2", "2", "3", "4"]]
    motion: NotRequired[PatternTracksMelodyMotion]


class PatternTracksRhythmNotesItem(TypedDict):
    col: int
    row: NotRequired[int]
    pitch: Literal[36, 35, 45, 38, 40, 37, 39, 42, 46, 49, 51, 56]
    velocity: Literal["normal", "accent", "sustain"]
    level: NotRequired[int]
    chance: NotRequired[int]
    cycle: NotRequired[Literal["always", "1:2", "2:2", "1:3", "2:3", "3:3", "1:4", "2:4", "3:4", "4:4", "1:5", "2:5", "3:5", "4:5", "5:5", "1:6", "2:6", "3:6", "4:6", "5:6", "6:6", "1:7", "2:7", "3:7", "4:7", "5:7", "6:7", "7:7", "1:8", "2:8", "3:8", "4:8", "5:8", "6:8", "7:8", "8:8", "first", "not first", "fill", "not fill"]]
    ratchet: NotRequired[int]
    nudge: NotRequired[int]


class PatternTracksRhythm(TypedDict):
    type: NotRequired[Literal['rhythm']]
    notes: NotRequired[list[PatternTracksRhythmNotesItem]]
    length: NotRequired[int]
    speed: NotRequired[Literal["1/4", "1/3", "1/2", "2/3", "3/4", "1", "4/3", "3/2", "2", "3", "4"]]
    motion: NotRequired[PatternTracksMelodyMotion]


class PatternTracks(TypedDict):
    melody: NotRequired[PatternTracksMelody]
    chords: NotRequired[PatternTracksChords]
    bass: NotRequired[PatternTracksBass]
    rhythm: NotRequired[PatternTracksRhythm]


class PatternPlaying(TypedDict):
    melody: NotRequired[int]
    chords: NotRequired[int]
    bass: NotRequired[int]
    rhythm: NotRequired[int]


class PatternSlotsMelodyValue(TypedDict):
    notes: NotRequired[list[PatternTracksMelodyNotesItem]]
    length: NotRequired[int]
    speed: NotRequired[Literal["1/4", "1/3", "1/2", "2/3", "3/4", "1", "4/3", "3/2", "2", "3", "4"]]
    motion: NotRequired[PatternTracksMelodyMotion]


class PatternSlotsChordsValue(TypedDict):
    notes: NotRequired[list[PatternTracksChordsNotesItem]]
    length: NotRequired[int]
    speed: NotRequired[Literal["1/4", "1/3", "1/2", "2/3", "3/4", "1", "4/3", "3/2", "2", "3", "4"]]
    motion: NotRequired[PatternTracksMelodyMotion]


class PatternSlotsBassValue(TypedDict):
    notes: NotRequired[list[PatternTracksBassNotesItem]]
    length: NotRequired[int]
    speed: NotRequired[Literal["1/4", "1/3", "1/2", "2/3", "3/4", "1", "4/3", "3/2", "2", "3", "4"]]
    motion: NotRequired[PatternTracksMelodyMotion]


class PatternSlotsRhythmValue(TypedDict):
    notes: NotRequired[list[PatternTracksRhythmNotesItem]]
    length: NotRequired[int]
    speed: NotRequired[Literal["1/4", "1/3", "1/2", "2/3", "3/4", "1", "4/3", "3/2", "2", "3", "4"]]
    motion: NotRequired[PatternTracksMelodyMotion]


class PatternSlots(TypedDict):
    melody: NotRequired[dict[str, PatternSlotsMelodyValue]]
    chords: NotRequired[dict[str, PatternSlotsChordsValue]]
    bass: NotRequired[dict[str, PatternSlotsBassValue]]
    rhythm: NotRequired[dict[str, PatternSlotsRhythmValue]]


class PatternSoundsReverb(TypedDict):
    time: NotRequired[float]
    level: NotRequired[float]


class PatternSoundsDelay(TypedDict):
    steps: NotRequired[int]
    feedback: NotRequired[float]
    level: NotRequired[float]


class PatternSoundsMelody(TypedDict):
    tone: NotRequired[float]
    preset: NotRequired[Literal["Sine", "Pluck", "Lead", "Pulse", "Bell", "Tine", "Mallet", "Reed"]]
    reverb: NotRequired[float]
    delay: NotRequired[float]
    duck: NotRequired[float]


class PatternSoundsChords(TypedDict):
    tone: NotRequired[float]
    preset: NotRequired[Literal["Triangle", "Warm pad", "E-piano", "Organ", "Stab", "Strings", "Glass", "Hollow"]]
    reverb: NotRequired[float]
    delay: NotRequired[float]
    duck: NotRequired[float]


class PatternSoundsBass(TypedDict):
    tone: NotRequired[float]
    preset: NotRequired[Literal["Saw", "Sub+", "Acid", "Round", "FM bass", "Reese", "Square", "Pick"]]
    reverb: NotRequired[float]
    delay: NotRequired[float]
    duck: NotRequired[float]


class PatternSoundsRhythm(TypedDict):
    tone: NotRequired[float]
    kit: NotRequired[str]
    reverb: NotRequired[float]
    delay: NotRequired[float]
    duck: NotRequired[float]


class PatternSounds(TypedDict):
    reverb: NotRequired[PatternSoundsReverb]
    delay: NotRequired[PatternSoundsDelay]
    melody: NotRequired[PatternSoundsMelody]
    chords: NotRequired[PatternSoundsChords]
    bass: NotRequired[PatternSoundsBass]
    rhythm: NotRequired[PatternSoundsRhythm]


class PatternDice(TypedDict):
    seed: NotRequired[int]


class Pattern(TypedDict):
    version: NotRequired[Literal[1]]
    name: NotRequired[str]
    created: NotRequired[str]
    modified: NotRequired[str]
    bpm: NotRequired[float]
    scale: NotRequired[Literal["major", "minor", "penta"]]
    rootNote: NotRequired[Literal["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]]
    length: NotRequired[int]
    swing: NotRequired[float]
    tracks: PatternTracks
    playing: NotRequired[PatternPlaying]
    slots: NotRequired[PatternSlots]
    sounds: NotRequired[PatternSounds]
    dice: NotRequired[PatternDice]


class WelcomeEventLimits(TypedDict):
    line: int
    unread: int


class WelcomeEventTouch(TypedDict):
    resolution: NotRequired[Literal["subcell", "cell"]]
    cellPixels: NotRequired[float]


class WelcomeEvent(TypedDict):
    server: str
    version: str
    protocol: int
    cols: int
    rows: int
    limits: WelcomeEventLimits
    remote: NotRequired[bool]
    tooltips: NotRequired[bool]
    client: NotRequired[str]
    touch: NotRequired[WelcomeEventTouch]


class FrameEvent(TypedDict):
    seq: int
    base: int
    cells: list[int]


class StepEventTracks(TypedDict):
    melody: NotRequired[int]
    chords: NotRequired[int]
    bass: NotRequired[int]
    rhythm: NotRequired[int]


class StepEvent(TypedDict):
    step: int
    frame: int
    usecs: int
    songStep: NotRequired[int]
    tracks: NotRequired[StepEventTracks]


class LaunchEvent(TypedDict):
    track: Literal["melody", "chords", "bass", "rhythm"]
    slot: int
    frame: NotRequired[int]
    usecs: NotRequired[int]


class TooltipEvent(TypedDict):
    text: str
    row: int
    ms: NotRequired[int]
    what: NotRequired[str]


class HapticEvent(TypedDict):
    style: str
    intensity: float


class SyncEvent(TypedDict):
    request: Literal["tempo", "play", "stop"]
    bpm: NotRequired[float]


class MidiEventLearnedOn(TypedDict):
    type: Literal["cc", "note", "program"]
    channel: int | None
    number: int


class MidiEventLearnedTo(TypedDict):
    method: str
    params: dict[str, Any]
    value: NotRequired[str]


class MidiEventLearned(TypedDict):
    on: NotRequired[MidiEventLearnedOn]
    to: NotRequired[MidiEventLearnedTo]


class MidiEvent(TypedDict):
    port: NotRequired[str]
    frame: NotRequired[int]
    usecs: NotRequired[int]
    bytes: NotRequired[list[int]]
    learned: NotRequired[MidiEventLearned]


class ScopeEventTracks(TypedDict):
    melody: int
    chords: int
    bass: int
    rhythm: int


class ScopeEvent(TypedDict):
    usecs: int
    main: list[int]
    tracks: ScopeEventTracks


class LibraryEvent(TypedDict):
    pass


class AudioEvent(TypedDict):
    frame: int
    usecs: int
    rate: int
    channels: int
    pcm: NotRequired[str]


class ByeEvent(TypedDict):
    reason: str


class TouchResult(TypedDict):
    gesture: NotRequired[str]
    notes: NotRequired[int]
    frame: NotRequired[int | None]


class SubscribeResult(TypedDict):
    frame: NotRequired[KeyFrame]
    state: NotRequired[State]
    labels: NotRequired[LabelUpdate]


class StatsGetResultAudio(TypedDict):
    driver: Literal["jack", "internal"]
    status: Literal["running", "no server", "lost", "off"]
    reason: str
    rate: NotRequired[int]
    period: NotRequired[int]
    xruns: int
    xrunsLastHour: int
    load: float
    worst: float
    droppedNotices: int


class StatsGetResultMidi(TypedDict):
    delayed: int
    skipped: int
    echoes: int


class StatsGetResultClientsItemFrames(TypedDict):
    sent: int
    dropped: int


class StatsGetResultClientsItem(TypedDict):
    id: int
    name: str
    frames: StatsGetResultClientsItemFrames
    audio: NotRequired[StatsGetResultClientsItemFrames]


class StatsGetResult(TypedDict):
    uptime: float
    audio: StatsGetResultAudio
    midi: StatsGetResultMidi
    clients: list[StatsGetResultClientsItem]
    frames: StatsGetResultClientsItemFrames
    errors: int
    memory: int


class AudioPortsResultItem(TypedDict):
    name: str
    connections: list[str]

AudioPortsResults = list[AudioPortsResultItem]


class TempoTapResult(TypedDict):
    bpm: float


class SyncGetResult(TypedDict):
    beat: float
    usecs: int
    bpm: float
    playing: bool
    quantum: float


class TimeGetResult(TypedDict):
    jack: int
    monotonic: int
    monotonicRaw: int


class TempoSetResult(TypedDict):
    bpm: float


class HistoryUndoResult(TypedDict):
    undo: int
    redo: int
    what: NotRequired[str]


class KitListResultItemRefusedItem(TypedDict):
    file: str
    reason: str


class KitListResultItem(TypedDict):
    name: str
    samples: list[str]
    refused: list[KitListResultItemRefusedItem]
    truncated: NotRequired[list[KitListResultItemRefusedItem]]

KitListResults = list[KitListResultItem]

KitReloadResults = list[KitListResultItem]


class MidiBindingsResultBindingsItem(TypedDict):
    on: MidiEventLearnedOn
    to: MidiEventLearnedTo


class MidiBindingsResult(TypedDict):
    bindings: list[MidiBindingsResultBindingsItem]

MidiPortsResults = list[AudioPortsResultItem]


class LibraryListResultItem(TypedDict):
    name: str
    modified: str
    bpm: float
    scale: str
    length: int

LibraryListResults = list[LibraryListResultItem]


class ExportMidiResult(TypedDict):
    path: NotRequired[str]
    data: NotRequired[str]
    frames: int


class FrameMethods:
    """`frame.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def get(self) -> KeyFrame:
        """Returns the picture as a key frame."""
        result: KeyFrame = await self._methods._checked("frame.get", {})
        return result


class StateMethods:
    """`state.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def get(self) -> State:
        """Returns all settings."""
        result: State = await self._methods._checked("state.get", {})
        return result


class StatsMethods:
    """`stats.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def get(self) -> StatsGetResult:
        """Returns figures about the daemon and its clients."""
        result: StatsGetResult = await self._methods._checked("stats.get", {})
        return result


class AudioMethods:
    """`audio.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def ports(self) -> AudioPortsResults:
        """Lists all of the daemon's JACK ports, and what each is connected to; empty with the internal driver."""
        result: AudioPortsResults = await self._methods._checked("audio.ports", {})
        return result


class TransportMethods:
    """`transport.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def play(self) -> Transport:
        """Plays from the current position; needs a JACK server or the internal driver."""
        result: Transport = await self._methods._checked("transport.play", {})
        return result

    async def stop(self) -> Transport:
        """Stops, and returns to step 0."""
        result: Transport = await self._methods._checked("transport.stop", {})
        return result

    async def pause(self) -> Transport:
        """Stops, and stays where it is."""
        result: Transport = await self._methods._checked("transport.pause", {})
        return result

    async def toggle(self) -> Transport:
        """Stops if it plays, plays if it does not."""
        result: Transport = await self._methods._checked("transport.toggle", {})
        return result

    async def locate(self, *, step: int) -> Transport:
        """Goes to a step.

        step: A step below the length."""
        result: Transport = await self._methods._checked("transport.locate", {"step": step})
        return result

    async def record(self, *, on: bool) -> Transport:
        """Turns recording on or off: while the clock runs, what is played at the MIDI input is written into the
        pattern.

        on: Whether to record."""
        result: Transport = await self._methods._checked("transport.record", {"on": on})
        return result


class TempoMethods:
    """`tempo.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def tap(self) -> TempoTapResult:
        """Counts a tempo tap, and returns the tempo."""
        result: TempoTapResult = await self._methods._checked("tempo.tap", {})
        return result

    async def set(self, *, bpm: float) -> TempoSetResult:
        """Sets the tempo.

        bpm: Speed of the step clock in beats per minute, to two decimals. In BPM."""
        result: TempoSetResult = await self._methods._checked("tempo.set", {"bpm": bpm})
        return result


class SyncMethods:
    """`sync.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def get(self) -> SyncGetResult:
        """Returns what plays now: quarter note `beat` is heard at JACK's time `usecs`, and the tempo is `bpm`."""
        result: SyncGetResult = await self._methods._checked("sync.get", {})
        return result

    async def timeline(
        self,
        *,
        beat: float,
        usecs: int,
        bpm: float,
        playing: bool | None = None,
        playing_usecs: int | None = None,
        quantum: float | None = None,
        peers: int | None = None,
    ) -> None:
        """Holds the timeline: quarter note `beat` is heard at JACK's time `usecs`, and the tempo is `bpm`.

        beat: Quarter notes since the song's start. In beats.
        usecs: JACK's time at which that is heard, in µs.
        bpm: Quarter notes a minute. In BPM.
        playing: Whether the music runs; without it, players start and stop on their own.
        playing_usecs: JACK's time from which `playing` holds; by default now. In µs.
        quantum: Players join on a multiple of this many quarter notes; by default that of sync.set. In beats.
        peers: How many others share this time; `state` shows it."""
        await self._methods._checked("sync.timeline", {"beat": beat, "usecs": usecs, "bpm": bpm, "playing": playing, "playingUsecs": playing_usecs, "quantum": quantum, "peers": peers})

    async def release(self) -> None:
        """Gives up the timeline."""
        await self._methods._checked("sync.release", {})

    async def set(
        self,
        *,
        source: Literal["internal", "jack", "midi", "timeline", "auto"] | None = None,
        lead: Sequence[Literal["jack", "midi"]] | None = None,
        quantum: int | None = None,
        start_stop: bool | None = None,
        offset_in: float | None = None,
        offset_out: float | None = None,
        latency: Literal["none", "compensate"] | None = None,
    ) -> None:
        """Changes any of the sync settings: source, lead, quantum, startStop, offsetIn, offsetOut, latency.

        source: The source of tempo and position; auto follows the best that is present.
        lead: Who receives our tempo and position.
        quantum: Join a timeline on a multiple of this many beats.
        start_stop: Whether starts and stops are shared with a timeline.
        offset_in: Play this much later than the source; negative for earlier. In ms.
        offset_out: Send our MIDI clock this much later than it is heard; negative for earlier. In ms.
        latency: Whether notes and clock are sent as they are played, or delayed by the latency of our sound."""
        await self._methods._checked("sync.set", {"source": source, "lead": lead, "quantum": quantum, "startStop": start_stop, "offsetIn": offset_in, "offsetOut": offset_out, "latency": latency})


class TimeMethods:
    """`time.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def get(self) -> TimeGetResult:
        """Returns JACK's time and the system's clocks, read at one moment, in µs."""
        result: TimeGetResult = await self._methods._checked("time.get", {})
        return result


class SwingMethods:
    """`swing.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(self, *, swing: float) -> None:
        """Sets the swing.

        swing: Where an odd step lies between its even neighbours; 0.5 is straight."""
        await self._methods._checked("swing.set", {"swing": swing})


class ScaleMethods:
    """`scale.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(self, *, scale: Literal["major", "minor", "penta"]) -> None:
        """Sets the scale.

        scale: Which notes can be written; existing notes stay."""
        await self._methods._checked("scale.set", {"scale": scale})


class RootMethods:
    """`root.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(self, *, root: Literal["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]) -> None:
        """Sets the root.

        root: The note that the scale starts on, with sharps."""
        await self._methods._checked("root.set", {"root": root})


class LengthMethods:
    """`length.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(self, *, length: int) -> None:
        """Sets the length.

        length: How many steps are played and shown; the others are kept."""
        await self._methods._checked("length.set", {"length": length})


class ColorsMethods:
    """`colors.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(self, *, mode: Literal["chromatic", "harmonic", "safe"]) -> None:
        """Sets the colours.

        mode: How the grid colours pitch classes."""
        await self._methods._checked("colors.set", {"mode": mode})


class GhostsMethods:
    """`ghosts.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(self, *, on: bool) -> None:
        """Sets the ghosts.

        on: Whether a track shows where the others have notes."""
        await self._methods._checked("ghosts.set", {"on": on})


class ReverbMethods:
    """`reverb.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(self, *, time: float | None = None, level: float | None = None) -> None:
        """Changes any of the reverb settings: time, level.

        time: How long the reverb takes to fall by 60 dB.
        level: Loudness of the reverb in the mix. In dB."""
        await self._methods._checked("reverb.set", {"time": time, "level": level})


class DelayMethods:
    """`delay.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(
        self,
        *,
        steps: int | None = None,
        feedback: float | None = None,
        level: float | None = None,
    ) -> None:
        """Changes any of the delay settings: steps, feedback, level.

        steps: Steps from one echo to the next; times above 1.5 s are halved. In steps.
        feedback: How loud an echo is relative to the one before it.
        level: Loudness of the echoes in the mix. In dB."""
        await self._methods._checked("delay.set", {"steps": steps, "feedback": feedback, "level": level})


class LaunchMethods:
    """`launch.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(self, *, quantum: Literal["loop", "bar", "beat", "step"]) -> None:
        """Sets the launch quantum.

        quantum: Which steps queued slots and scenes begin to play on."""
        await self._methods._checked("launch.set", {"quantum": quantum})


class DiceMethods:
    """`dice.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(self, *, seed: int) -> None:
        """Sets the dice seed.

        seed: The seed of the dice that decide chances: the same seed plays the same notes."""
        await self._methods._checked("dice.set", {"seed": seed})

    async def roll(self) -> StateDice:
        """Gives the dice the next seed, and returns it."""
        result: StateDice = await self._methods._checked("dice.roll", {})
        return result

    async def freeze(self, *, track: Literal["melody", "chords", "bass", "rhythm"]) -> None:
        """Keeps what dice and cycles decided in a track's last whole pass: notes that did not play go, the others
        always play; one undo step.

        track: The track."""
        await self._methods._checked("dice.freeze", {"track": track})


class TrackMethods:
    """`track.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        mute: bool | None = None,
        muted_drums: Sequence[Literal["kick", "kick2", "low tom", "snare", "snare2", "rimshot", "clap", "closed hat", "open hat", "crash", "ride", "cowbell"]] | None = None,
        solo: bool | None = None,
        gain: float | None = None,
        pan: float | None = None,
        tone: float | None = None,
        preset: Literal["Sine", "Pluck", "Lead", "Pulse", "Bell", "Tine", "Mallet", "Reed", "Triangle", "Warm pad", "E-piano", "Organ", "Stab", "Strings", "Glass", "Hollow", "Saw", "Sub+", "Acid", "Round", "FM bass", "Reese", "Square", "Pick"] | None = None,
        kit: str | None = None,
        reverb: float | None = None,
        delay: float | None = None,
        duck: float | None = None,
        target: Literal["internal", "midi", "both"] | None = None,
        channel: int | None = None,
        velocity_normal: int | None = None,
        velocity_accent: int | None = None,
        arm: bool | None = None,
        accents: Literal["hard", "all", "none"] | None = None,
    ) -> Track:
        """Changes a track's settings, and returns them.

        track: The track.
        mute: Whether the track is silent, unless it is soloed.
        muted_drums: Which drums are silent, as `mute` silences a track: no sound, no MIDI, no duck.
        solo: Whether the track is the only one that sounds.
        gain: Loudness of the track in the mix. In dB.
        pan: Place in the stereo mix: -1 is left, 0 the centre, 1 right.
        tone: How far the filters of the track's sounds are shifted, darker or brighter. In semitones.
        preset: The sound of the track's notes.
        kit: The sound of the drums: a built-in kit, or one of samples.
        reverb: How much of the track goes to the reverb; -60 is nothing. In dB.
        delay: How much of the track goes to the delay; -60 is nothing. In dB.
        duck: How far each kick ducks the track; drums are not ducked. In dB.
        target: Where the track's notes go: to its own voices, to the port midi_out, or to both.
        channel: The MIDI channel that plays the track, and that its notes are sent on.
        velocity_normal: The MIDI velocity of a normal note that is sent.
        velocity_accent: The MIDI velocity of an accent, or of a note with sustain, that is sent.
        arm: Whether the track's keys and movements are recorded while record is on; they sound anyway.
        accents: Which keys played on the track are accents: those struck hard, all or none."""
        result: Track = await self._methods._checked("track.set", {"track": track, "mute": mute, "mutedDrums": muted_drums, "solo": solo, "gain": gain, "pan": pan, "tone": tone, "preset": preset, "kit": kit, "reverb": reverb, "delay": delay, "duck": duck, "target": target, "channel": channel, "velocityNormal": velocity_normal, "velocityAccent": velocity_accent, "arm": arm, "accents": accents})
        return result


class NoteMethods:
    """`note.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        step: int,
        note: int,
        velocity: Literal["off", "normal", "accent", "sustain"],
        slot: int | None = None,
        level: int | None = None,
        chance: int | None = None,
        cycle: Literal["always", "1:2", "2:2", "1:3", "2:3", "3:3", "1:4", "2:4", "3:4", "4:4", "1:5", "2:5", "3:5", "4:5", "5:5", "1:6", "2:6", "3:6", "4:6", "5:6", "6:6", "1:7", "2:7", "3:7", "4:7", "5:7", "6:7", "7:7", "1:8", "2:8", "3:8", "4:8", "5:8", "6:8", "7:8", "8:8", "first", "not first", "fill", "not fill"] | None = None,
        ratchet: int | None = None,
        nudge: int | None = None,
    ) -> None:
        """Sets one cell; on melody this removes the step's other notes. Values not given are those of a new note.

        track: The track.
        step: The step; hidden ones too.
        note: Semitones above the track's C, or the drum.
        velocity: What to put into the cell.
        slot: The slot; by default the one that plays.
        level: How much softer it is than its velocity. In dB.
        chance: How often it plays, decided by dice in each pass. In %.
        cycle: In which passes it plays: 1:2 is the first of every two.
        ratchet: How many times it starts in its step.
        nudge: How much of a step later it starts; negative for earlier. In %."""
        await self._methods._checked("note.set", {"track": track, "step": step, "note": note, "velocity": velocity, "slot": slot, "level": level, "chance": chance, "cycle": cycle, "ratchet": ratchet, "nudge": nudge})

    async def adjust(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        step: int,
        note: int | None = None,
        slot: int | None = None,
        level: int | None = None,
        chance: int | None = None,
        cycle: Literal["always", "1:2", "2:2", "1:3", "2:3", "3:3", "1:4", "2:4", "3:4", "4:4", "1:5", "2:5", "3:5", "4:5", "5:5", "1:6", "2:6", "3:6", "4:6", "5:6", "6:6", "1:7", "2:7", "3:7", "4:7", "5:7", "6:7", "7:7", "1:8", "2:8", "3:8", "4:8", "5:8", "6:8", "7:8", "8:8", "first", "not first", "fill", "not fill"] | None = None,
        ratchet: int | None = None,
        nudge: int | None = None,
    ) -> None:
        """Changes only the given values of the notes that start on a step.

        track: The track.
        step: The step; hidden ones too.
        note: The note; by default all that start on the step.
        slot: The slot; by default the one that plays.
        level: How much softer it is than its velocity. In dB.
        chance: How often it plays, decided by dice in each pass. In %.
        cycle: In which passes it plays: 1:2 is the first of every two.
        ratchet: How many times it starts in its step.
        nudge: How much of a step later it starts; negative for earlier. In %."""
        await self._methods._checked("note.adjust", {"track": track, "step": step, "note": note, "slot": slot, "level": level, "chance": chance, "cycle": cycle, "ratchet": ratchet, "nudge": nudge})


class PatternMethods:
    """`pattern.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def get(self) -> Pattern:
        """Returns the pattern, as in files."""
        result: Pattern = await self._methods._checked("pattern.get", {})
        return result

    async def set(self, *, pattern: Pattern) -> None:
        """Replaces the pattern; one undo step.

        pattern: The pattern, as in files."""
        await self._methods._checked("pattern.set", {"pattern": pattern})

    async def new(self) -> None:
        """Empties all slots, and gives tempo, swing, key, length, sounds and mixer the values of a new instrument;
        one undo step."""
        await self._methods._checked("pattern.new", {})

    async def clear(self) -> None:
        """Clears all tracks; one undo step."""
        await self._methods._checked("pattern.clear", {})


class HistoryMethods:
    """`history.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def undo(self) -> HistoryUndoResult:
        """Undoes one step, if there is one, and returns how many are left, and what it changed."""
        result: HistoryUndoResult = await self._methods._checked("history.undo", {})
        return result

    async def redo(self) -> HistoryUndoResult:
        """Redoes one step, if there is one, and returns how many are left, and what it changed."""
        result: HistoryUndoResult = await self._methods._checked("history.redo", {})
        return result


class KeysMethods:
    """`keys.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def press(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        note: int | None = None,
        key: int | None = None,
        velocity: int | None = None,
    ) -> None:
        """Presses a key, as one of a MIDI keyboard on the track's channel, or strikes a held one again; at most 16
        are held. It is released by `keys.release`, by whatever releases MIDI keys, with the connection's end,
        and for remote clients after 2 s without a line.

        track: The track.
        note: Semitones above the track's C, or the drum.
        key: Instead of `note`, a MIDI note number; on rhythm a drum's in General MIDI.
        velocity: How hard; 0 releases the key."""
        await self._methods._checked("keys.press", {"track": track, "note": note, "key": key, "velocity": velocity})

    async def release(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        note: int | None = None,
        key: int | None = None,
    ) -> None:
        """Releases a key that this connection holds.

        track: The track.
        note: Semitones above the track's C, or the drum.
        key: Instead of `note`, a MIDI note number; on rhythm a drum's in General MIDI."""
        await self._methods._checked("keys.release", {"track": track, "note": note, "key": key})


class LensMethods:
    """`lens.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        lens: Literal["level", "chance", "cycle", "ratchet", "nudge", "length", "speed", "gain", "pan", "tone", "reverb", "delay"] | None = None,
    ) -> None:
        """Opens or closes a track's lens for all clients: it shows what the notes do besides their pitch, for
        fingers to change.

        track: The track.
        lens: The lens; none by default."""
        await self._methods._checked("lens.set", {"track": track, "lens": lens})

    async def reset(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        lens: Literal["level", "chance", "cycle", "ratchet", "nudge", "length", "speed", "gain", "pan", "tone", "reverb", "delay"],
    ) -> None:
        """Resets what a track plays to a lens's default, on hidden steps too; one undo step.

        track: The track.
        lens: The lens."""
        await self._methods._checked("lens.reset", {"track": track, "lens": lens})


class FillMethods:
    """`fill.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(self, *, on: bool) -> None:
        """Holds or releases FILL, which notes with the cycle `fill` wait for; fingers may hold it at the same
        time.

        on: Whether it is held."""
        await self._methods._checked("fill.set", {"on": on})


class MotionMethods:
    """`motion.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def set(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        parameter: Literal["gain", "pan", "tone", "reverb", "delay"],
        step: int,
        value: float | None = None,
        slot: int | None = None,
    ) -> None:
        """Sets the value that a parameter has where a step starts; between such points it moves linearly, around
        the loop. One undo step.

        track: The track.
        parameter: The parameter.
        step: The step; points on hidden steps have no effect.
        value: In the parameter's range; without it the step's point is removed.
        slot: The slot; by default the one that plays."""
        await self._methods._checked("motion.set", {"track": track, "parameter": parameter, "step": step, "value": value, "slot": slot})

    async def clear(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        parameter: Literal["gain", "pan", "tone", "reverb", "delay"] | None = None,
        slot: int | None = None,
    ) -> None:
        """Removes all points of a parameter, which then has the mixer's value; one undo step.

        track: The track.
        parameter: The parameter; by default all of them.
        slot: The slot; by default the one that plays."""
        await self._methods._checked("motion.clear", {"track": track, "parameter": parameter, "slot": slot})

    async def get(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        slot: int | None = None,
    ) -> PatternTracksMelodyMotion:
        """Returns the points of the parameters that move, each a step and a value, as in files.

        track: The track.
        slot: The slot; by default the one that plays."""
        result: PatternTracksMelodyMotion = await self._methods._checked("motion.get", {"track": track, "slot": slot})
        return result


class SlotMethods:
    """`slot.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def launch(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        slot: int,
        when: Literal["queued", "now"] | None = None,
    ) -> None:
        """Plays another slot of a track from the next launch point, or at once while nothing plays.

        track: The track.
        slot: The slot.
        when: now: with the next step, at the same place in the loop."""
        await self._methods._checked("slot.launch", {"track": track, "slot": slot, "when": when})

    async def copy(self, *, track: Literal["melody", "chords", "bass", "rhythm"], from_: int, to: int) -> None:
        """Copies a slot to another slot of the track; one undo step.

        track: The track.
        from_: The slot to copy.
        to: The slot that is replaced."""
        await self._methods._checked("slot.copy", {"track": track, "from": from_, "to": to})

    async def clear(self, *, track: Literal["melody", "chords", "bass", "rhythm"], slot: int) -> None:
        """Clears a slot, playing or not; one undo step.

        track: The track.
        slot: The slot."""
        await self._methods._checked("slot.clear", {"track": track, "slot": slot})

    async def chain(self, *, track: Literal["melody", "chords", "bass", "rhythm"], slots: Sequence[int]) -> None:
        """Plays slots of a track one after the other, over and over: the first from the next launch point, each
        later one from a step 0.

        track: The track.
        slots: The slots in their order."""
        await self._methods._checked("slot.chain", {"track": track, "slots": slots})

    async def cancel(self, *, track: Literal["melody", "chords", "bass", "rhythm"] | None = None) -> None:
        """Cancels what is queued or chained; what plays continues.

        track: The track; by default all of them."""
        await self._methods._checked("slot.cancel", {"track": track})

    async def rotate(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        steps: int,
        slot: int | None = None,
    ) -> None:
        """Rotates a slot's notes by a number of steps within its length; one undo step.

        track: The track.
        steps: How much later; negative for earlier. In steps.
        slot: The slot; by default the one that plays."""
        await self._methods._checked("slot.rotate", {"track": track, "steps": steps, "slot": slot})

    async def set(
        self,
        *,
        track: Literal["melody", "chords", "bass", "rhythm"],
        slot: int | None = None,
        length: int | None = None,
        speed: Literal["1/4", "1/3", "1/2", "2/3", "3/4", "1", "4/3", "3/2", "2", "3", "4"] | None = None,
    ) -> None:
        """Gives a slot a length and a speed of its own; one undo step.

        track: The track.
        slot: The slot; by default the one that plays.
        length: Steps of its own loop, 0 to follow the pattern's length; by default unchanged. In steps.
        speed: How many of its steps play in the time of one step; by default unchanged."""
        await self._methods._checked("slot.set", {"track": track, "slot": slot, "length": length, "speed": speed})


class SceneMethods:
    """`scene.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def launch(self, *, scene: int, when: Literal["queued", "now"] | None = None) -> None:
        """Plays a scene from the next launch point, or at once while nothing plays.

        scene: The scene.
        when: now: with the next step, at the same place in the loop."""
        await self._methods._checked("scene.launch", {"scene": scene, "when": when})

    async def copy(self, *, from_: int, to: int) -> None:
        """Copies a scene, the slots of all tracks, to another; one undo step.

        from_: The scene to copy.
        to: The scene that is replaced."""
        await self._methods._checked("scene.copy", {"from": from_, "to": to})

    async def chain(self, *, scenes: Sequence[int]) -> None:
        """Plays scenes one after the other, over and over: the first from the next launch point, each later one
        from a step 0.

        scenes: The scenes in their order."""
        await self._methods._checked("scene.chain", {"scenes": scenes})


class KitMethods:
    """`kit.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def list(self) -> KitListResults:
        """Lists the kits, built-in ones first, and reads the samples of the others to name those that cannot be
        used, and those that are truncated and played as far as they go."""
        result: KitListResults = await self._methods._checked("kit.list", {})
        return result

    async def reload(self) -> KitReloadResults:
        """Rescans the sample kits, and reloads those that are played; returns what `kit.list` does."""
        result: KitReloadResults = await self._methods._checked("kit.reload", {})
        return result


class MidiMethods:
    """`midi.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def bind(self, *, on: MidiEventLearnedOn, to: MidiEventLearnedTo) -> None:
        """Binds a controller, key or program change at the MIDI input to a parameter or method.

        on: The trigger; without a channel, or with null, on any channel.
        to: The method, its parameters, and which of them the value moves."""
        await self._methods._checked("midi.bind", {"on": on, "to": to})

    async def unbind(self, *, on: MidiEventLearnedOn) -> None:
        """Removes a binding.

        on: The trigger."""
        await self._methods._checked("midi.unbind", {"on": on})

    async def bindings(self) -> MidiBindingsResult:
        """Lists the bindings."""
        result: MidiBindingsResult = await self._methods._checked("midi.bindings", {})
        return result

    async def learn(self, *, to: MidiEventLearnedTo) -> None:
        """Binds the next message within 30 s, which the topic `midi` reports; unsubscribing from it cancels
        learning.

        to: The method, its parameters, and which of them the value moves."""
        await self._methods._checked("midi.learn", {"to": to})

    async def ports(self) -> MidiPortsResults:
        """Lists the daemon's MIDI ports, and what each is connected to; empty without JACK."""
        result: MidiPortsResults = await self._methods._checked("midi.ports", {})
        return result


class LibraryMethods:
    """`library.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def list(self) -> LibraryListResults:
        """Lists the saved patterns."""
        result: LibraryListResults = await self._methods._checked("library.list", {})
        return result

    async def save(self, *, name: str) -> None:
        """Saves the pattern under a name, replacing any that has it.

        name: The name."""
        await self._methods._checked("library.save", {"name": name})

    async def load(self, *, name: str, scene: int | None = None) -> None:
        """Replaces the pattern by a saved one; one undo step.

        name: The name.
        scene: Loads only the notes that play in the saved pattern, into this scene."""
        await self._methods._checked("library.load", {"name": name, "scene": scene})

    async def delete(self, *, name: str) -> None:
        """Deletes a saved pattern.

        name: The name."""
        await self._methods._checked("library.delete", {"name": name})

    async def rename(self, *, name: str, to: str) -> None:
        """Renames a saved pattern.

        name: The current name.
        to: The new name."""
        await self._methods._checked("library.rename", {"name": name, "to": to})


class StorageMethods:
    """`storage.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def flush(self) -> None:
        """Answers when all earlier changes are on disk."""
        await self._methods._checked("storage.flush", {})


class ExportMethods:
    """`export.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def midi(
        self,
        *,
        path: str | None = None,
        loops: int | None = None,
        rate: int | None = None,
        scenes: Sequence[int] | None = None,
        chain: bool | None = None,
    ) -> ExportMidiResult:
        """Exports the pattern to a MIDI file.

        path: Where to; without it the result holds the file, in base64.
        loops: How many times the pattern is played.
        rate: Sample rate; by default JACK's, or 48000 without JACK. In Hz.
        scenes: The scenes to play instead of what plays now, a loop each.
        chain: Whether to play every track's chain once instead, from its first link; shorter ones, and what
            plays without a chain, are repeated until the longest ends."""
        result: ExportMidiResult = await self._methods._checked("export.midi", {"path": path, "loops": loops, "rate": rate, "scenes": scenes, "chain": chain})
        return result

    async def wav(
        self,
        *,
        path: str,
        loops: int | None = None,
        rate: int | None = None,
        scenes: Sequence[int] | None = None,
        chain: bool | None = None,
    ) -> ExportMidiResult:
        """Renders the pattern to a sound file.

        path: Where to.
        loops: How many times the pattern is played.
        rate: Sample rate; by default JACK's, or 48000 without JACK. In Hz.
        scenes: The scenes to play instead of what plays now, a loop each.
        chain: Whether to play every track's chain once instead, from its first link; shorter ones, and what
            plays without a chain, are repeated until the longest ends."""
        result: ExportMidiResult = await self._methods._checked("export.wav", {"path": path, "loops": loops, "rate": rate, "scenes": scenes, "chain": chain})
        return result


class RpcMethods:
    """`rpc.*`"""

    def __init__(self, methods: Methods) -> None:
        self._methods = methods

    async def discover(self) -> dict[str, Any]:
        """Returns this description of the protocol."""
        result: dict[str, Any] = await self._methods._checked("rpc.discover", {})
        return result


class Methods(ABC):
    """All methods, in an attribute for each subject."""

    def __init__(self) -> None:
        self.frame = FrameMethods(self)
        self.state = StateMethods(self)
        self.stats = StatsMethods(self)
        self.audio = AudioMethods(self)
        self.transport = TransportMethods(self)
        self.tempo = TempoMethods(self)
        self.sync = SyncMethods(self)
        self.time = TimeMethods(self)
        self.swing = SwingMethods(self)
        self.scale = ScaleMethods(self)
        self.root = RootMethods(self)
        self.length = LengthMethods(self)
        self.colors = ColorsMethods(self)
        self.ghosts = GhostsMethods(self)
        self.reverb = ReverbMethods(self)
        self.delay = DelayMethods(self)
        self.launch = LaunchMethods(self)
        self.dice = DiceMethods(self)
        self.track = TrackMethods(self)
        self.note = NoteMethods(self)
        self.pattern = PatternMethods(self)
        self.history = HistoryMethods(self)
        self.keys = KeysMethods(self)
        self.lens = LensMethods(self)
        self.fill = FillMethods(self)
        self.motion = MotionMethods(self)
        self.slot = SlotMethods(self)
        self.scene = SceneMethods(self)
        self.kit = KitMethods(self)
        self.midi = MidiMethods(self)
        self.library = LibraryMethods(self)
        self.storage = StorageMethods(self)
        self.export = ExportMethods(self)
        self.rpc = RpcMethods(self)

    @abstractmethod
    async def call(self, method: str, /, **parameters: Any) -> Any:
        """Calls a method by its name, and returns its result."""

    @abstractmethod
    async def _follow(self, topic: str, max_fps: int | None = None) -> Subscription[Any]: ...

    async def _checked(self, method: str, parameters: dict[str, Any]) -> Any:
        given = {name: value for name, value in parameters.items() if value is not None}
        return await self.call(method, **given)

    async def hello(
        self,
        *,
        client: str | None = None,
        touch: WelcomeEventTouch | None = None,
        remote: bool | None = None,
        tooltips: bool | None = None,
    ) -> WelcomeEvent:
        """Introduces the client: its name and its touch surface. May be left out.

        client: The client's name, for stats.get and the log.
        touch: The touch surface; by default finer than cells, at 21 px a cell.
        remote: Whether the client is on another machine: it may then never name files on this one.
        tooltips: False for pictures without tooltips, for clients that show them themselves."""
        result: WelcomeEvent = await self._checked("hello", {"client": client, "touch": touch, "remote": remote, "tooltips": tooltips})
        return result

    async def ping(self) -> None:
        """Answers."""
        await self._checked("ping", {})

    async def touch(
        self,
        *,
        touch: int,
        phase: Literal["down", "move", "up", "cancel"],
        x: float | None = None,
        y: float | None = None,
        ms: float | None = None,
    ) -> TouchResult:
        """Reports what a finger did; usually sent as a notification.

        touch: The client's own id for the finger.
        phase: What the finger did.
        x: Cells from the left, the integer part being the column; not for cancel. In cells.
        y: Cells from the top, the integer part being the row; not for cancel. In cells.
        ms: When the finger did it, by the client's own clock in ms, so that a late packet turns no tap into a
            hold."""
        result: TouchResult = await self._checked("touch", {"touch": touch, "phase": phase, "x": x, "y": y, "ms": ms})
        return result

    async def subscribe(
        self,
        *,
        topics: Sequence[Literal["frame", "state", "step", "tooltip", "haptic", "launch", "sync", "midi", "scope", "library", "labels", "audio"]],
        max_fps: int | None = None,
    ) -> SubscribeResult:
        """Starts notifications, and returns the current values of frame, state and labels.

        topics: The topics; audio needs a connection of its own.
        max_fps: Maximum pictures per second. In frames/s."""
        result: SubscribeResult = await self._checked("subscribe", {"topics": topics, "maxFps": max_fps})
        return result

    async def unsubscribe(
        self,
        *,
        topics: Sequence[Literal["frame", "state", "step", "tooltip", "haptic", "launch", "sync", "midi", "scope", "library", "labels", "audio"]],
    ) -> None:
        """Ends notifications.

        topics: The topics."""
        await self._checked("unsubscribe", {"topics": topics})

    @overload
    async def follow(self, topic: Literal["frame"], *, max_fps: int | None = None) -> Subscription[FrameEvent]: ...

    @overload
    async def follow(self, topic: Literal["state"], *, max_fps: int | None = None) -> Subscription[dict[str, Any]]: ...

    @overload
    async def follow(self, topic: Literal["step"], *, max_fps: int | None = None) -> Subscription[StepEvent]: ...

    @overload
    async def follow(self, topic: Literal["launch"], *, max_fps: int | None = None) -> Subscription[LaunchEvent]: ...

    @overload
    async def follow(self, topic: Literal["tooltip"], *, max_fps: int | None = None) -> Subscription[TooltipEvent]: ...

    @overload
    async def follow(self, topic: Literal["haptic"], *, max_fps: int | None = None) -> Subscription[HapticEvent]: ...

    @overload
    async def follow(self, topic: Literal["sync"], *, max_fps: int | None = None) -> Subscription[SyncEvent]: ...

    @overload
    async def follow(self, topic: Literal["midi"], *, max_fps: int | None = None) -> Subscription[MidiEvent]: ...

    @overload
    async def follow(self, topic: Literal["scope"], *, max_fps: int | None = None) -> Subscription[ScopeEvent]: ...

    @overload
    async def follow(self, topic: Literal["library"], *, max_fps: int | None = None) -> Subscription[LibraryEvent]: ...

    @overload
    async def follow(self, topic: Literal["labels"], *, max_fps: int | None = None) -> Subscription[LabelUpdate]: ...

    @overload
    async def follow(self, topic: Literal["audio"], *, max_fps: int | None = None) -> Subscription[AudioEvent]: ...

    async def follow(self, topic: str, *, max_fps: int | None = None) -> Subscription[Any]:
        """Subscribes to a topic, and returns an iterator over its notifications from now on."""
        return await self._follow(topic, max_fps)
