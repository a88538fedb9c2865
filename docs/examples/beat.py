#!/usr/bin/env python3
"""Writes a beat, plays it once around, and prints the grid. Needs the package: pip install ./Sources/Clients/python"""

import asyncio

import pixelboop

BEAT = {0: "x...x...x...x...", 3: "....x.......x...", 7: "..x...x...x...x."}


def text(picture: pixelboop.Picture) -> str:
    lines = ([picture[column, row] for column in range(picture.columns)] for row in range(picture.rows))
    return "\n".join("".join(" .:*#"[brightness(colour)] for colour in line) for line in lines)


def brightness(colour: int) -> int:
    return max(colour >> 16, colour >> 8 & 255, colour & 255) * 4 // 255


async def main() -> None:
    async with pixelboop.Client(name="beat.py") as boop:
        length = min(16, (await boop.state.get())["length"])
        for note, pattern in BEAT.items():
            for step, mark in enumerate(pattern[:length]):
                if mark == "x":
                    await boop.note.set(track="rhythm", step=step, note=note, velocity="normal")
        steps = await boop.follow("step")
        await boop.transport.play()
        async for heard in steps:
            print("step", heard["step"], flush=True)
            if heard["step"] == length - 1:
                break
        await boop.transport.stop()
        picture = await boop.frame.get()
        print(text(pixelboop.Picture(picture["seq"], picture["rgb"])))


asyncio.run(main())
