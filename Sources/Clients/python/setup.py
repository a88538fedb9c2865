"""Writes the package's methods when it is built. Everything else is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).resolve().parent))
import generate


class Build(build_py):
    def run(self) -> None:
        super().run()
        folder = generate.FOLDER if self.editable_mode else Path(self.build_lib)
        generate.write(folder / "pixelboop" / "methods.py")


setup(cmdclass={"build_py": Build})
