"""What a touch on a page is worth: how far its stamp may be from the finger, and why.

A browser gives the time of an event to 0.1 ms (5 µs when isolated, 1 ms in Firefox; W3C High Resolution Time,
MDN `Event.timeStamp`). That is the grain of a clock, not of a finger. What a page adds:

- *Touch screen*: the panel is scanned 60 to 120 times a second, so two fingers on one screen are sure to one
  scan: ± 17 ms at 60 Hz, ± 8 ms at 120 Hz (Roussel 2025: a grid of 8.33 ms on five phones; Chrome sends
  "down" at once and aligns only "move" to frames). A page cannot know its panel: 60 Hz is claimed.
- *Key and mouse*: a USB device of low or full speed is asked every 8 ms by default (125 Hz; bInterval of the
  USB HID class), so two keys of one keyboard are sure to ± 8 ms.
- *Two devices*: how late each tells of a touch differs. Touch to kernel took 9.6 to 29.6 ms on seven Android
  devices, kernel to application 1.1 to 3.3 ms more (Android WALT); tablets differed by 27 to 97 ms (Schatz
  2015), 26 phones by 35 to 140 ms with their display (LaTARbot, 2022). Taken as ± 50 ms between two devices,
  of which 25 ms stand beside the clock of each. With the scans (± 17 ms) and the clocks (± 3 ms) together
  ± 70 ms: each of the three is a bound and none a distribution that anybody has measured, so they add.

- *A device beside a wire*: a wire is not late, and a touch is never told early. The same sources have it told
  some 10 to 100 ms after the finger (Android WALT: 11 to 33; JOV 2015: 80 ± 20; Schatz 2015: up to 97). So
  50 ms are taken off a page's stamps where wires are noses as well, and ± 50 ms are claimed beside its clock
  and scan, together ± 60 ms. Among themselves phones are late much alike, as above.

Derived from what others have published, not measured by us: a zero test of the very phones says more.
"""

from __future__ import annotations

from typing import Literal

TouchKind = Literal["touch", "key", "mouse"]

# Of one press; two of them add up to what is said above for one device.
TOUCH_U_NS: dict[TouchKind, int] = {"touch": 8_500_000, "key": 4_000_000, "mouse": 4_000_000}
LATENCY_U_NS = 25_000_000
LATE_NS = LATE_U_NS = 50_000_000
