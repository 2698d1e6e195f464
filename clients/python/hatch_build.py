"""Builds the Python stubs of proto/ into the package.

The proto packages are named like Python packages, so that protoc's output for
`tavola.v1` is `tavola/v1/*_pb2.py` and belongs right beside the hand-written
modules. A wheel gets the stubs from a temporary folder and leaves the checkout as
it is; an editable install gets them in `src/tavola/`, where git ignores them. A
source distribution carries `proto/` instead.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class StubsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the stubs to a wheel, or the protos to a source distribution."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Runs before the target is built."""
        root = Path(self.root)
        protos = root / "proto"  # In an unpacked source distribution.
        if not protos.is_dir():
            protos = root.parent.parent / "proto"  # In a checkout.
            if not protos.is_dir():
                raise FileNotFoundError(f"{protos} is missing: build from a checkout of Tavola")
            if self.target_name == "sdist":
                build_data["force_include"][str(protos)] = "proto"
        if self.target_name != "wheel":
            return
        if version == "editable":
            for folder in (root / "src" / "tavola").glob("*/"):  # What an older proto/ left there.
                if any(folder.glob("**/*_pb2.py")):
                    shutil.rmtree(folder)
            generate(protos, root / "src")
        else:
            self.scratch = TemporaryDirectory(prefix="tavola-stubs-")
            generate(protos, Path(self.scratch.name))
            build_data["force_include"][f"{self.scratch.name}/tavola"] = "tavola"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Runs after the target was built."""
        if hasattr(self, "scratch"):
            self.scratch.cleanup()


def generate(protos: Path, out: Path) -> None:
    """Writes the modules, their types and an `__init__.py` per package into `out`."""
    files = sorted(str(path.relative_to(protos)) for path in protos.rglob("*.proto"))
    services = [name for name in files if name.endswith("_service.proto")]
    with TemporaryDirectory() as scratch:
        descriptors = Path(scratch, "descriptors.bin")
        protoc(protos, "--include_source_info", f"--descriptor_set_out={descriptors}", *files)
        described = FileDescriptorSet.FromString(descriptors.read_bytes())
    protoc(protos, f"--python_out={out}", f"--mypy_out=quiet:{out}", *files)
    protoc(protos, f"--grpc_python_out={out}", f"--mypy_grpc_out=quiet:{out}", *services)

    packages: dict[Path, list[str]] = {}
    for file in described.file:
        module = Path(file.name)
        for parent in list(module.parents)[:-2]:  # All but the top package, which is ours.
            packages.setdefault(parent, [])
        packages[module.parent] += reexports(file)
    for package, lines in packages.items():
        text = f'"""Generated from proto/{package.as_posix()}."""\n\n' + "\n".join(lines) + "\n"
        (out / package / "__init__.py").write_text(text)
    (out / "tavola" / "words.json").write_text(json.dumps(words(described)), encoding="utf-8")


def reexports(file: FileDescriptorProto) -> Iterator[str]:
    """The lines that make a file's names those of its package, as they are in protobuf."""
    module = Path(file.name).stem
    names = [message.name for message in file.message_type]
    for enum in file.enum_type:
        names += [enum.name, *(value.name for value in enum.value)]
    for name in names:
        yield f"from .{module}_pb2 import {name} as {name}"
    for service in file.service:
        for name in f"{service.name}Stub", f"{service.name}Servicer", f"add_{service.name}Servicer_to_server":
            yield f"from .{module}_pb2_grpc import {name} as {name}"


def words(described: FileDescriptorSet) -> dict[str, dict[int, str]]:
    """What the protos say about each value of each enum, such as a card: protoc's code leaves it out."""
    said: dict[str, dict[int, str]] = {}
    enum_field, value_field = 5, 2  # In FileDescriptorProto and EnumDescriptorProto.
    for file in described.file:
        for place in file.source_code_info.location:
            path = place.path
            if len(path) == 4 and path[0] == enum_field and path[2] == value_field:
                enum = file.enum_type[path[1]]
                comment = " ".join(place.leading_comments.split())
                said.setdefault(f"{file.package}.{enum.name}", {})[enum.value[path[3]].number] = comment
    return said


def protoc(protos: Path, *args: str) -> None:
    """Runs the protoc of grpcio-tools with the plugins installed beside it."""
    path = os.pathsep.join([os.environ.get("PATH", ""), sysconfig.get_path("scripts")])
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{protos}", *args]
    subprocess.run(command, check=True, env={**os.environ, "PATH": path})
