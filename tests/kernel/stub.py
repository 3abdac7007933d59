"""The kernel's stub file, generated from the compiled module. ``make stubs`` writes it."""

import sys
from pathlib import Path
from types import ModuleType

from nanobind.stubgen import StubGen

from flipdrop import kernel

STUB = Path(__file__).parents[2] / "src/flipdrop/kernel/_core.pyi"


def generate() -> str:
    # Whatever build was loaded, its classes say that they live in `flipdrop.kernel`.
    module = ModuleType("flipdrop.kernel")
    vars(module).update({name: getattr(kernel, name) for name in kernel.__all__ if name != "BUILD"})
    generator = StubGen(module)
    generator.put(module)
    return str(generator.get())


if __name__ == "__main__":
    if "--write" in sys.argv:
        STUB.write_text(generate())
    else:
        sys.stdout.write(generate())
