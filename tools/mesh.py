"""A printed part as triangles: read from STL, and asked whether it is whole, how large, and how thick."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

Vector = tuple[float, float, float]
Triangle = tuple[Vector, Vector, Vector]
NUMBER = r"[-+.\deE]+"


def read_stl(path: Path) -> list[Triangle]:
    """Return the triangles of a text STL."""
    found = re.findall(rf"vertex ({NUMBER}) ({NUMBER}) ({NUMBER})", path.read_text(encoding="ascii"))
    corners = [(float(x), float(y), float(z)) for x, y, z in found]
    return [(corners[at], corners[at + 1], corners[at + 2]) for at in range(0, len(corners), 3)]


def open_edges(triangles: list[Triangle]) -> int:
    """Return how many edges lack their one neighbour in the other direction; 0 is watertight."""
    edges = Counter(edge for triangle in triangles for edge in _edges(triangle))
    return sum(count != 1 or edges[end, begin] != 1 for (begin, end), count in edges.items())


def _edges(triangle: Triangle) -> Iterator[tuple[Vector, Vector]]:
    a, b, c = triangle
    yield from ((a, b), (b, c), (c, a))


def size(triangles: list[Triangle]) -> Vector:
    """Return the length, width and height of the box around it."""
    spans = [
        max(corner[axis] for triangle in triangles for corner in triangle)
        - min(corner[axis] for triangle in triangles for corner in triangle)
        for axis in range(3)
    ]
    return spans[0], spans[1], spans[2]


def volume(triangles: list[Triangle]) -> float:
    """Return what it holds in cubic millimetres; negative when it is inside out."""
    return sum(_dot(a, _cross(b, c)) for a, b, c in triangles) / 6


def thicknesses(triangles: list[Triangle], most: int = 150) -> Iterator[tuple[float, Vector]]:
    """Yield how thick it is straight below the middle of each of the largest triangles, and where."""
    for triangle in sorted(triangles, key=lambda triangle: -_length(_normal(triangle)))[:most]:
        across = _normal(triangle)
        length = _length(across)
        inwards = (-across[0] / length, -across[1] / length, -across[2] / length)
        middle = _middle(triangle)
        hits = crossings(triangles, middle, inwards)
        if hits:
            yield hits[0], middle


def _normal(triangle: Triangle) -> Vector:
    """Return the vector outwards, twice as long as the triangle is large."""
    return _cross(_minus(triangle[1], triangle[0]), _minus(triangle[2], triangle[0]))


def _length(vector: Vector) -> float:
    return math.sqrt(_dot(vector, vector))


def crossings(triangles: list[Triangle], begin: Vector, along: Vector) -> list[float]:
    """Return the distances at which a ray from *begin* meets the surface, near ones first."""
    return sorted(
        {round(hit, 4) for triangle in triangles if (hit := _hit(triangle, begin, along)) is not None}
    )


def _hit(triangle: Triangle, begin: Vector, along: Vector) -> float | None:
    """Return where a ray meets a triangle (Möller and Trumbore), None where it does not."""
    a, b, c = triangle
    one, two = _minus(b, a), _minus(c, a)
    normal = _cross(along, two)
    determinant = _dot(one, normal)
    if abs(determinant) < 1e-9:
        return None
    away = _minus(begin, a)
    u = _dot(away, normal) / determinant
    if not -1e-9 <= u <= 1 + 1e-9:
        return None
    other = _cross(away, one)
    v = _dot(along, other) / determinant
    if v < -1e-9 or u + v > 1 + 1e-9:
        return None
    distance = _dot(two, other) / determinant
    return distance if distance > 1e-3 else None


def _middle(triangle: Triangle) -> Vector:
    a, b, c = triangle
    return (a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3, (a[2] + b[2] + c[2]) / 3


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
