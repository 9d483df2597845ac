"""Whether a folder is only ours: who can write to a cache of machine code can run what they like.

So it is looked at the way OpenSSH looks at a person's keys: who owns it and who may write to it,
and the same for every folder on the way there.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

MOST_LINKS = 40  # that lead to one another, as Linux has it


def make_private(folder: Path) -> None:
    """Make a folder and those above it that are missing, for this user alone."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def is_tree_only_ours(folder: Path) -> bool:
    """The same for a folder and everything in it: it may have been open to others before."""
    return is_only_ours(folder) and all(is_only_ours(each) for each in folder.rglob("*"))


def is_only_ours(path: Path) -> bool:
    """Whether nobody but this user and root can change what is there, or replace it.

    Every folder on the way counts, also on the way that symbolic links take. Others may write to
    one on the way only if it is sticky, as /tmp is: what is in it is safe if it is ours. What does
    not exist is safe if we would be the ones who make it. On Windows a profile is private.
    """
    if not hasattr(os, "getuid"):
        return True
    try:
        found = list(_way_to(path.absolute()))
    except OSError:
        return False
    if os.path.lexists(path) and _others_write(found[-1]):
        return False  # sticky or not, others could add to it
    return all(_is_trusted(each) for each in found)


def _way_to(path: Path) -> Iterator[os.stat_result]:
    """What is found on the way to a path, links and where they lead included, as far as it goes."""
    here, todo, links = Path(path.anchor), list(reversed(path.parts[1:])), 0
    yield here.lstat()
    while todo:
        step = todo.pop()
        here = here.parent if step == ".." else here / step
        try:
            found = here.lstat()
        except FileNotFoundError:
            return
        yield found
        if stat.S_ISLNK(found.st_mode):
            links += 1
            if links > MOST_LINKS:
                raise OSError(errno.ELOOP, "Too many links", str(path))
            target = here.readlink()
            todo += reversed(target.parts[1:] if target.anchor else target.parts)
            here = Path(target.anchor) if target.anchor else here.parent


def _is_trusted(found: os.stat_result) -> bool:
    """Whether it belongs to us or to root, and others cannot write to it unless it is sticky."""
    if found.st_uid not in (0, os.getuid()):
        return False
    is_sticky_folder = stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX
    return bool(is_sticky_folder) or not _others_write(found)


def _others_write(found: os.stat_result) -> bool:
    if stat.S_ISLNK(found.st_mode):  # its mode means nothing
        return False
    if found.st_mode & stat.S_IWOTH:
        return True
    return bool(found.st_mode & stat.S_IWGRP) and not _is_own_group(found.st_gid)


def _is_own_group(group: int) -> bool:
    """Whether a group is this user's alone, as many systems make one for each user."""
    import grp  # noqa: PLC0415 - these two are not on every system
    import pwd  # noqa: PLC0415

    try:
        user, found = pwd.getpwuid(os.getuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return group == user.pw_gid and found.gr_name == user.pw_name and not found.gr_mem
