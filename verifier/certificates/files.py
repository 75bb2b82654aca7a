"""Certificates in files: JSON, compressed where the file's name ends with .gz; written only where the stand-alone checker accepts them."""

from __future__ import annotations

import gzip
import json
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from verifier.certificates.statement import Certificate
from verifier.running.errors import InputError

CHECKER = Path(__file__).with_name("recheck.py")
LIMITS = {"work": 1 << 28, "bytes": 1 << 30, "entries": 1 << 26}
"""Limits of the checker. A file that needs more than the checker's defaults is checked with these limits."""


def accepted(certificate: Certificate) -> str:
    """The reason why the checker, run as a separate process, rejects a certificate, or empty if it accepts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        path.write_bytes(written(certificate))
        given = [sys.executable, "-I", str(CHECKER), str(path)]
        for name, most in LIMITS.items():
            given += [f"--{name}", str(most)]
        ended = subprocess.run(given, capture_output=True, text=True, check=False)
    return "" if ended.returncode == 0 else ended.stdout.strip() or ended.stderr.strip()[-300:]


def checked(certificate: Certificate) -> Certificate:
    """The certificate, once the checker has accepted it.

    Raises:
        InputError: it does not.
    """
    if reason := accepted(certificate):
        raise InputError(f"{certificate['claim']}: no certificate, as the checker would not accept it: {reason}")
    return certificate


def written(certificate: Certificate) -> bytes:
    return json.dumps(certificate, separators=(",", ":"), ensure_ascii=False).encode()


def write_certificate(certificate: Certificate, path: Path) -> int:
    """Write the file, whole or not at all; its size in bytes. The same certificate gives the same bytes.

    Raises:
        InputError: the file cannot be written; any earlier file stays as it was.
    """
    data = written(certificate)
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    try:
        _write_whole(path, data)
    except OSError as error:
        raise InputError(f"--certificate {path}: {error.strerror}") from None
    return len(data)


def _write_whole(path: Path, data: bytes) -> None:
    """Replace the old file once the new one is complete, also behind a link; write directly to a device."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        path.write_bytes(data)
        return
    target = path.resolve()
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
