"""Edges in, verdicts out. Pure: time is an argument."""

from __future__ import annotations

from companion.timing.appeal import rejudge
from companion.timing.judge import judge, uncertainty_ns
from companion.timing.referee import HOST_LINE, Referee
from companion.timing.requests import ArmRequest, Request, Settings, VoidRequest
from companion.timing.sequencer import FOREVER

__all__ = [
    "FOREVER",
    "HOST_LINE",
    "ArmRequest",
    "Referee",
    "Request",
    "Settings",
    "VoidRequest",
    "judge",
    "rejudge",
    "uncertainty_ns",
]
