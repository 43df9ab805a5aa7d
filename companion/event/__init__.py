"""Event night: many tables, one hall. Everything that is known of it and follows from that. Pure.

A table's log is the authority; the hall folds copies of it beside its own log.

In reading order: `roster` reads who plays, `seating` says who sits where, `formats` what the next round is,
`standings` what a table's match has decided and who leads, `tally` what of it counts. `events` are the hall's
own log, `state` its fold. `orders` makes events of organisers' `commands`; `history` says what was done of
late, `changes` what a changed result means for rounds that are called. `messages` are what tables and hall
say to each other, `calls` what a table is told. `snapshot` is the hall at one moment; `screen` makes of it
what pages show, with `pictures` of tables and `todos`, and `reports` what papers and files tell. `once` makes
nothing twice.
"""
