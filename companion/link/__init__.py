"""What holds an event together: keys, the message server, the tables' rows in, calls out, what lies on disk.

In reading order: `keys` are names and secrets, `membership` a machine's place in a hall, `door` how a running
table comes in. `engine` starts the message server, `client` is a connection to it, `wire` what goes over it.
`uplink` sends a table's rows, `reader` takes them, `copies` folds them, `store` keeps them and the hall's own
log. `hub` holds all of it together, for any thread; `service` runs the hall's end, and lets one hub lead.
"""

MEMBERSHIP = "hall.json"  # in the data folder of a table that is in a hall
