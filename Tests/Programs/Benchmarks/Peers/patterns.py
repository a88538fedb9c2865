"""Patterns as JSON files."""


def column(step):
    return 4 + step + step // 8


def pattern(tracks, **settings):
    lowest = {"melody": 60, "chords": 48, "bass": 36}
    notes = {
        track: {"type": track, "notes": [
            {"col": column(step), "pitch": lowest.get(track, 0) + note, "velocity": velocity}
            for step, note, velocity in cells]} for track, cells in tracks.items()}
    return {"version": 1, "tracks": notes, **settings}
