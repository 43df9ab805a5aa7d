"""Event night: many tables, one hall. A table's log is the authority; the hall folds copies of it.

In reading order: `roster` reads who plays, `seating` says who sits where, `formats` what the next round is,
`results` what a table's match has decided, `tally` what of it counts, `standings` who leads. `events` are the
hall's own log, `state` its fold, `store` keeps it and the copies. `orders` makes events of organisers'
commands; `hub` holds all of it together, for any thread. `snapshot` is the hall at one moment; `screen` makes
of it what pages show, with `pictures` of tables and `todos`. `engine` starts the message server, `uplink`
sends a table's rows to it, `reader` takes them from it, `service` runs the hall's end. `fence` sends the
hall's own log there too, and lets one hub lead. `export` writes all of it down; `archive` opens that again.
"""

MEMBERSHIP = "hall.json"  # in the data folder of a table that is in a hall
