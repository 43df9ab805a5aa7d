"""Edges in, verdicts out. Pure: time is an argument.

The law that holds everything up: nobody is named last unless every explanation of the evidence that the
declared errors allow says so, and a verdict that later evidence contradicts does not stand
(`tests/support/slow_judge.py` is that sentence as a program, which `test_campaign` holds this one to).

How it works, for whoever changes it. Every rule names the test that holds it (`test file.test`).

**Two streams.** What sources send comes in any order. The `Sequencer` holds it back until every source has
promised that nothing earlier is coming, and lets it out in order of time: the *input stream*. The `Debouncer`
reads from it which lines have changed, each stamped with the first edge of its train and known only when the
train has settled, so later than it is stamped: the *change stream*. It lags behind the first by a train or a
lockout at most, for a change may come out only when no other line has an earlier train open. The `referee`
walks along both in lockstep: before it takes an input, it tells all that falls before the oldest change that
could still come (`settled_ns`). Only the change stream arms, decides and voids.

- How the stream was cut into pieces, and what arrived first between two promises, changes nothing, since
  whatever counts is in a stamp → test_properties.test_arrival_between_watermarks_and_pieces_change_nothing,
  → test_properties.test_a_wild_stream_tells_the_same_however_it_is_cut_and_shuffled
- A change is told no earlier than an older one of another line
  → test_debounce.test_any_edges_make_the_changes_the_oracle_reads
- Stamp early, confirm late: a press is as old as its first edge, whatever bounces after it
  → test_debounce.test_press_is_stamped_with_its_first_edge

**What may be said when.** Nothing is told before its instant is settled, and what falls on one instant
is told in one order: news of levels and losses, requests of people, the host's long press, arming, changes
of lines, docks, the verdict. Some of it may be answered (a verdict, one that is taken back or contested, the
host's button, what people did): `tell` ends right behind it, the table writes it down and says whom to watch
from here on, and the rest is told with that in force. So a table that answers slowly plays the same game.

- The answer takes effect before the next thing that happens
  → test_referee.test_what_is_told_ends_at_every_happening_that_may_be_answered,
  → test_referee.test_the_answer_to_a_verdict_takes_effect_before_the_next_arming
- A round is decided when all but one have pressed and every source's watermark has passed the latest press by
  `confirm_ns` and `w`
  → test_referee.test_the_missing_seat_is_last_once_every_watermark_has_passed_confirmation_and_w
- A press up to that instant is judged; one after it only completes the margin, and only until the next arming
  → test_referee.test_a_press_at_the_last_moment_is_judged_and_the_next_nanosecond_is_late,
  → test_minutes.test_the_referee_tells_what_its_minutes_have
- What comes later than its source had promised is a broken promise, and may take a verdict back; after the
  next arming it only contests it
  → test_sequencer.test_out_comes_what_all_sources_have_promised_in_order_of_time,
  → test_late_evidence.test_a_tap_that_came_too_late_withdraws_the_verdict_that_it_contradicts,
  → test_late_evidence.test_after_the_next_arming_the_round_before_is_contested_with_both_verdicts

**What holds everything up.**

- Nobody is named last who was not. Where the stamps leave it open (`w`, law 4) it is a dead heat; where lost
  edges do (law 5), or a train that can be read in two ways, the round is void
  → test_campaign.test_nobody_is_named_last_who_was_not,
  → test_campaign.test_the_judge_names_nobody_whom_a_slow_and_obvious_one_would_not
- And no round is void without need
  → test_properties.test_a_gap_voids_exactly_when_a_press_in_it_could_change_the_last
- Who could be last: those whom nobody surely came after. Neither seat nor pin decides
  → test_judge.test_could_be_last_is_who_nobody_surely_beats,
  → test_judge.test_equal_times_are_always_a_dead_heat
- The slowest source holds everybody back, and one that leaves holds back nobody
  → test_sequencer.test_out_comes_what_all_sources_have_promised_in_order_of_time
- Nothing is armed over a hand that is down, and no press from before the arming counts
  → test_referee.test_a_block_is_told_once_until_all_were_free,
  → test_minutes.test_the_referee_tells_what_its_minutes_have
- What was lost, or has met and parted, shortly before the arming is no press after it: the arming waits
  → test_late_evidence.test_what_follows_a_loss_or_a_spark_within_150_ms_is_the_end_of_a_touch_and_no_press
- A contact that is let go may close once more: that holds nothing for sure
  → test_late_evidence.test_the_chatter_of_a_release_holds_nothing_for_sure
- Whoever was seen to let go but not to touch is not named, and what agreed with a verdict is not forgotten
  → test_late_evidence.test_who_was_seen_to_let_go_but_not_to_touch_is_not_named,
  → test_late_evidence.test_what_agreed_with_a_verdict_is_weighed_with_what_comes_after_it
- What was shown can be judged again: the inputs kept with a round, by the same code, say the same (law 6)
  → test_properties.test_a_round_judged_again_from_its_inputs_is_judged_the_same,
  → test_properties.test_a_round_whose_noses_passed_from_page_to_page_is_judged_again_as_it_was
- Who was *first* is the same law read in a mirror (`first`): nobody is named unless every explanation says so
  → test_first.test_the_first_is_the_last_with_time_turned_round,
  → test_first.test_nobody_is_named_first_who_was_not
- With a rack of spoons all of this holds too, for lifts and touches
  → test_minutes.test_the_referee_tells_what_its_minutes_have,
  → test_campaign.test_nobody_is_named_last_who_was_not_however_a_round_is_played

**What a source sends**, a page like any other:

- `Levels` when it comes, and after each loss: its lines, and what its stamps are worth. So does a page of the
  noses that, as far as is known, can be touched only there: who has not pressed is then judged by its clock.
  Nobody has looked at these; they are `expected`, and hide no touch that is told late
  → test_late_evidence.test_what_is_only_expected_hides_no_touch_that_is_told_too_late.
- `Edge` for each change of a line. A line belongs to the source that told of it last.
- `Watermark(t)`: nothing earlier than t is still coming. A seat is last by absence only when every source
  that is known has promised so; a source is known from the first thing that it sends.
- `Watermark(FOREVER)`: it signs off (a page that is hidden or left), and is waited for no more.
- `Gap(from, to, source, lines)`: edges of these lines (None: of any of its lines) may be lost. For a page
  that has fallen silent: from its last promise to FOREVER, with the lines of its seats; then it signs off.
  The round under way is void if that could change who is last; the next arming does not wait for it.
- An edge older than the promise is taken all the same: as a loss for the round in progress, and in hindsight
  for rounds that were judged (`Withdrawn` until the next arming, `Contested` after it).

**What is claimed of time, and how it is known.** Each is a bound: no stamp, and no margin, is further off.
Bounds add; a figure that is exceeded is a defect.

| bound | what it is | how it is known |
| --- | --- | --- |
| 10 µs (`gpiochip.U_NS`) | a stamp in the kernel's interrupt | until the board's self-test has measured |
| half the time since a line was last seen otherwise (`sources/pins`) | a stamp that software took: where \
there is no kernel’s | looked at every 2 ms (`SAMPLE_NS`), and its own time when it was |
| half a tick, 100 ns; 300 ns (`box/session`) | an edge in a box: half of three ticks where inputs change \
within 0.6 µs, as the sampler is blind so long (`BLIND_TICKS`) | the sampler’s program, clock by clock |
| 5 ms, or as measured (`late_ns`) | on top, where numbers are missing: then the stamp of a contact that \
bounced is that of a later interrupt thread | `lastnose selftest`: twice the latest of 500 events at rest \
and under load, 100 µs at least; so a kernel whose threads are late by 60 µs declares 120 |
| half of `confirm_ns`, 20 ms | what a contact may bounce; what a hand may falter | published switches; \
else both readings stay open (`streams`) |
| 550 ppm (`RATE_ERROR_PPM`) | the rate of the host's clock: 500 by the kernel's slewing, 50 its crystal | \
`adjtimex(2)`; chrony exceeds it only if it steers by ticks: its default `maxslewrate` of 83,333 ppm is to \
be set to 500 where margins are to hold while it puts the time right |
| 700 ppm (`TIMELINE_PPM`) | beside it, of a clock of its own: steered by 300, its rate open to 400 | \
`box/clock` |
| 150 and 50 ppm (`NOMINAL_PPM`, `HOST_PPM`) | a box's crystal, the host's; two boxes differ by 300 | data \
sheets say 30 to 100, with age and warmth |
| 0.25 ppm a second | how fast a crystal's rate changes; two: 0.5 | a cold box on a warm table |
| half a round trip, both ends (`box/clock`) | where a box's tick lies on the host's clock | causality: it \
read it between our sending and receiving |
| half a round trip, and the clock's grain (`lib/clock.js`) | where a page's time lies on the host's clock | \
causality, as above; the grain is measured, 0.1 ms at the least |
| 200 ppm (`DRIFT` there) | how a page's clock strays from the host's meanwhile | two crystals of 50, and as \
much again for one that is being set right |
| 2 ms + 0.1 % (`WALL_NS`, `WALL_DRIFT` there) | what a page’s two clocks may differ by without a jump | \
the grain of the one that tells the date, and how fast it may be set right |
| 2 s (`UNKNOWN_NS` there) | what a page mapped by a clock that has jumped unseen | as good as nothing: it \
decides no round |
| 10 ms (`CLOCK_U_NS`, `sources/mock`) | the clock of a phone that has not said how well it knows it | \
taken as that until its page has measured |
| 5 ms (`UNREAD_NS`, `box/sync`) | what a box claims beyond its own while nobody has heard the leader | what \
a leader's first reading may claim |
| 300 ns, 1 µs (`box/sync`) | a pulse on the wire, of box to box and of box to pin | a tick of 200 ns on \
each |
| 1,100 ppm between readings (`box/steady`) | how the host's clock strays from its steady one | kernel: \
500 + 500 |
| 8.5, 4, 25, 50 ms (`core/touch`) | a screen's scan, a key's, how late two devices tell, how late beside \
a wire | what others have published; a zero test measures it. Of two devices 50, 17 and 3 ms add up \
to 70 |
| 20 ms (`FINGERS_NS`, `web/phone_claims`) | by which one of two fingers may always be first: what a zero \
test leaves of the 50 | an estimate |
| 50 and 50 ms, 200 at most (`web/taps`) | how late a touch may be told and still be believed: handed over, \
beyond the shortest way, and that way | what pages measured; later it is lost, and said so |

Where it is asked who was first, three more times decide what counts. They are decrees: each goes by the
stamp, and a false start is one only where `u` and clock leave no doubt that it came too soon.

| decree | what it is | whence |
| --- | --- | --- |
| 150 ms (`SETTLE_NS`, `arming`) | a touch so soon after its seat let go is none of the question, nor a \
false start; whoever was held at the opening plays from then on | contacts settle in 20 ms, a hand takes \
longer to bounce off, and nobody presses on purpose before about 200: estimates, not measured here |
| `lock_ms`: a quiz 250 or, where it shuts out, 3,000; a duel since *ready* | a false start bars its seat, \
and its team, so long from its stamp on; with `shuts_out` for all of the question | the games say so \
(`quiz`, `duel`; `table/rounds` draws a duel's) |
| `guess_ms`: a duel without guesses 100, else 0 | who presses surely sooner after the opening has guessed: \
a false start | the limit of athletics (DUEL-5, `duel`); counted from the arming, which is before any lamp \
or screen shows it, so whoever waits for those is not barred |

Read on in this order: `streams`, `judge`, `round` (and `first`, `rack/`), `arming`, `evidence`,
`rounds`, `referee`, `tape`; `zero` stands apart.
"""

from __future__ import annotations

from lastnose.companion.timing.evidence import KEPT_ROUNDS
from lastnose.companion.timing.judge import judge, uncertainty_ns
from lastnose.companion.timing.referee import Referee, Rejudging, rejudge
from lastnose.companion.timing.rounds import HOST_LINE
from lastnose.companion.timing.settings import ArmRequest, Request, Settings, VoidRequest
from lastnose.companion.timing.streams import FOREVER

__all__ = [
    "FOREVER",
    "HOST_LINE",
    "KEPT_ROUNDS",
    "ArmRequest",
    "Referee",
    "Rejudging",
    "Request",
    "Settings",
    "VoidRequest",
    "judge",
    "rejudge",
    "uncertainty_ns",
]
