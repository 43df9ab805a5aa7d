"""Last Nose: a table companion that says who was last, and how sure it is.

The rooms are folders, and `tests/test_layers.py` says which may know which. The nouns of the whole, in the
order in which an edge becomes a verdict that everybody sees:

- `core.model.Edge`: a change of one line (a nose, a spoon), with its time and what that may be wrong by.
- `core.model.Levels`: how lines stand, at the start and after a loss.
- `core.model.Gap`: a time in which a source may have lost edges.
- `core.model.Watermark`: a source's promise that nothing earlier is still coming.
- `core.ports.Source`: where all of these come from; `core.ports.Driver` moves simulated lines.
- `wiring.profile.Profile`: which line is on which pin, and how long its contacts bounce.
- `timing.Referee`: arms rounds and judges them; `timing` opens with how.
- `core.model.Press`: a touch that counts, stamped with its first edge.
- `core.model.Rack`: the spoons of a round, one fewer than players.
- `timing.round.Round`: an armed round, from the first press to what decides it.
- `core.model.Verdict`: who was last, by how much, how sure that is, or why it does not count.
- `timing.tape.Tape`: the inputs of a round or an evening as a file, to be judged again.
- `games.rules.base.Game`: the rules, as pure functions of a state and a move; a verdict is a move.
- `games.rules.prompts.Prompt`: what a game asks of people now: watch noses, choose, enter a score.
- `games.rules.variations.Variation`: a game with its options, under a name of the players' own.
- `evening.commands.Command`: what somebody wants of the table.
- `evening.events.Event`: what has happened; the log is a list of them, and nothing is deleted.
- `evening.state.Match`: one game that is being played, as a fold of its events.
- `evening.state.Evening`: all matches of one log.
- `table.store.Store`: where events are, durably, before anybody sees what follows from them.
- `table.table.Table`: takes inputs and commands, makes events; `table.thread.TableThread` is its thread.
- `views.snapshot.Snapshot`: everything that any screen shows, immutable, the newest wins.
- `core.text.Text`: a sentence before it is put into a language.
- `core.ports.Display`, `core.ports.Lamps`, `core.ports.Sound`: what shows a snapshot beside the pages.
- `config.settings.RunSettings`: what a run of the table was started with.
- `link.hub.Hall`: an event of many tables: its own log, and copies of theirs, folded by the same code.
- `event.orders.Order`: what an organiser wants, checked; `event.events` are what comes of it.
- `event.snapshot.HallSnapshot`: everything that the hall's pages show, as `Snapshot` is for a table.
- `link.uplink.Uplink`: sends a table's log to the hall; `link.service.HallService` is the other end.
- `app.app.App`: wires all of it together.
- `testing.scenario.Scenario`: a table for tests, driven in microseconds.
"""

__version__ = "0.2.0"
RELEASED = "2026-11-27"  # no clock that is right says an earlier day
