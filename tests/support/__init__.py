"""What tests share. Fixtures stand in the `conftest.py` of `tests`, `tests/web` and `tests/web/browser`.

A table in microseconds, for most tests: `companion.testing.scenario.Scenario`; a
simulated box: `hardware.box.simulated.SimulatedBox`. Each module begins with what it gives.

To start something:

- `tables`: `served`, a table on its thread with pages behind a port; `AnsweringTable`, without a thread.
- `fakes`: `FakeTable`, which only remembers; rows, verdicts and rounds to show.
- `full_disk`: a store whose disk fills.
- `page_table`: a real table whose noses are pages, on a clock moved by hand.
- `phones`: `Phone`, a browser without a screen, on the table's machine or in its network; `make_app`.
- `streams`: `Stream`, a viewer of the live stream; `eventually` waits for what is expected.
- `openings`: questions that are opened again and again, with a truth beside them.
- `ports`: a free port that stays free while its server is away.
- `commands`: `lastnose`, the command line as one types it.
- `patient`: `be_patient`: what is late counts, also in a process of its own.
- `hall_pages`: the pages of a hall, without a message server.
- `hall_tables`: a real table in a hall, without a message server between them.
- `halls`: a hall, with a real message server and simulated tables where wanted.
- `message_server`: as far as hubs and tables ask one for anything, in a list.
- `certificates`: of a message server, for any name and any days.
- `evenings`: `PlayedGame`, a game move by move, without a table; `judged_round`, as a log has it.
- `margins`: an `evening` of chosen margins, and the rule by which a margin and its ± are printed.
- `minutes`: evenings of games, word by word, out of text files.
- `stream_minutes`: streams of edges and what the referee tells of them, out of text files.
- `profiles`: a profile out of a text.
- `selftest_rig`: `Rig`, a person and a box with faults in its wiring.
- `boxes`: `listening` to a simulated box, by the host's side of it.
- `pico`: a pretended Pico, with a raw REPL that keeps files; a cable whose port any program can open.
- `page_rig`: the pages' own script, the table's half, and a network that fails.
- `page_rounds`: rounds between pages and table, with a physical truth beside them.
- `two_boxes`: two boxes on a sync wire, reckoned.
- `box_rig`: `Rig`, a host's session and a pretended box in a time of their own.
- `two_commands`: the README's two commands in a fresh clone.
- `once_more`: tests that failed in the crowd, once more alone.

To draw:

- `screen_scenes`: moments of a game; also snapshots, rows and finishes by hand.
- `script_scenes`: words and names of many scripts.
- `asked_scenes`: what a table is asked, and racks.
- `entry_scenes`: what is filled in on phones.
- `pictures`: what is drawn against the picture that was looked at and kept.

Games that are none of ours:

- `toy`: a game with noses.
- `toy_sheet`: a game with a score sheet.

Second opinions, written another way:

- `umpire`: of games with noses, with pen and paper.
- `umpire_sheets`: of score sheets.
- `umpire_evening`: of whole evenings, with comings, goings, corrections, undo and redo.
- `umpire_calls`: the same for games of who was first.
- `umpire_moves`: the same for score sheets and Pig 10, of which it also keeps single games.
- `random_evenings`: plays random evenings against both.
- `oracle`: of timing, from whole lists.
- `explanations`: what several explanations of a round say together.
- `slow_judge`: of the law, through every explanation of the evidence.
- `slow_modes`: the same, in outline, for held noses, spoons, docks and the rack alone.
- `tiny_worlds`: small rounds, every explanation written out, for all ways to play but docks.
- `rummy_oracle`: of contracts, by brute force.
- `simulator`: evenings from the truth up, with faults.
- `simulator_modes`: the same for held noses, spoons, docks and the rack alone.
- `campaign`: plays them against the judge and counts.
- `box_storms`: whether a storm of changes was told honestly.

To try much:

- `examples`: how many random cases a property is tried on.
- `fuzz_box`: the box's host side under atheris.
- `fuzz_box_target`: what fuzzers do with it.
- `packages`: what is not made for every Python.
- `viper`: MicroPython's viper, as far as the firmware uses it.
- `anywhere`: makes a process one without what only POSIX systems have.

To look at the sources:

- `documents`: README and documents, read once: pages, fences, commands.
- `sources`: every Python file of the product, read once: imports, classes, functions, messages.

To measure:

- `page_audit`: every page against axe, any severity, and by keyboard alone; run as a program, part by part.
- `game_moments`: one moment of each game for each thing that it can ask or say.
- `page_figures`: requests, bytes and first paint of a page.
"""
