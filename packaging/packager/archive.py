"""The archive: files and folders only, in one order, with one time, so that the same input gives the same bytes."""

from __future__ import annotations

import gzip
import hashlib
import io
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

FOLDER_MODE, PROGRAM_MODE, FILE_MODE = 0o755, 0o755, 0o644


class BadArchive(ValueError):
    """An entry that krew, or somebody's safety, would refuse."""


def stage(frozen: Path, extra: dict[str, Path | str], folder: Path) -> None:
    """Copy the frozen program and `extra` files into `folder`, with a file in the place of every link."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(frozen, folder, symlinks=False)
    for name, content in extra.items():
        if isinstance(content, Path):
            shutil.copyfile(content, folder / name)
        else:
            (folder / name).write_text(content, encoding="utf-8", newline="\n")


def pack(folder: Path, target: Path, time: int, programs: frozenset[str]) -> None:
    """`folder`'s content as `target`, a .tar.gz or a .zip; `programs` are the names at its root that can be run."""
    target.parent.mkdir(parents=True, exist_ok=True)
    (_zip if target.suffix == ".zip" else _tar)(folder, target, time, programs)
    check(target)


def check(target: Path) -> None:
    """Raises BadArchive for a link, a device, and a path that leaves the archive."""
    for name, plain in entries(target):
        path = PurePosixPath(name)
        if not plain:
            raise BadArchive(f"{target.name}: {name} is neither a file nor a folder")
        if path.is_absolute() or ".." in name or "\\" in name:
            raise BadArchive(f"{target.name}: {name} is no path inside the archive")


def entries(target: Path) -> Iterator[tuple[str, bool]]:
    """Each entry's name, and whether it is a file or a folder."""
    if target.suffix == ".zip":
        with zipfile.ZipFile(target) as opened:
            for entry in opened.infolist():
                yield entry.filename, (entry.external_attr >> 16) & 0o170000 in {0, 0o100000, 0o040000}
        return
    with tarfile.open(target) as tar:
        for member in tar:
            yield member.name, member.type in {tarfile.REGTYPE, tarfile.DIRTYPE}


def write_sums(folder: Path) -> Path:
    """`sha256sums.txt` over the files of `folder`, as `sha256sum --check` reads it."""
    target = folder / "sha256sums.txt"
    files = sorted(path for path in folder.iterdir() if path.is_file() and path != target)
    target.write_text("".join(f"{digest(path)}  {path.name}\n" for path in files), encoding="ascii", newline="\n")
    return target


def digest(path: Path) -> str:
    """The file's SHA-256, in lower case as krew wants it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _members(folder: Path) -> Iterator[tuple[str, Path]]:
    """Every file and folder below `folder` by its path inside, sorted by that path alone."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    yield from sorted(found.items())


def _mode(name: str, path: Path, programs: frozenset[str]) -> int:
    if path.is_dir():
        return FOLDER_MODE
    return PROGRAM_MODE if name in programs else FILE_MODE


def _tar(folder: Path, target: Path, time: int, programs: frozenset[str]) -> None:
    with (
        target.open("wb") as raw,
        gzip.GzipFile("", "wb", compresslevel=9, fileobj=raw, mtime=time) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar,
    ):
        for name, path in _members(folder):
            member = tarfile.TarInfo(name)
            member.mtime, member.mode = time, _mode(name, path, programs)
            member.uname = member.gname = "root"
            member.type = tarfile.DIRTYPE if path.is_dir() else tarfile.REGTYPE
            content = b"" if path.is_dir() else path.read_bytes()
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


def _zip(folder: Path, target: Path, time: int, programs: frozenset[str]) -> None:
    import time as clock  # noqa: PLC0415 - `time` is the argument's best name

    stamp = clock.gmtime(time)[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as opened:
        for name, path in _members(folder):
            entry = zipfile.ZipInfo(name + ("/" if path.is_dir() else ""), stamp)
            entry.create_system = 3  # the modes are those of Unix, whatever system this runs on
            kind = 0o040000 if path.is_dir() else 0o100000
            entry.external_attr = (kind | _mode(name, path, programs)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            opened.writestr(entry, b"" if path.is_dir() else path.read_bytes())


def unpack(target: Path, folder: Path) -> None:
    """As krew does: the archive's files into an empty folder."""
    folder.mkdir(parents=True)
    if target.suffix == ".zip":
        with zipfile.ZipFile(target) as opened:
            opened.extractall(folder)
        return
    with tarfile.open(target) as tar:
        for member in tar:
            path = folder / member.name
            if member.isdir():
                path.mkdir(exist_ok=True)
            else:
                content = tar.extractfile(member)
                assert content is not None
                path.write_bytes(content.read())
            path.chmod(member.mode)
