"""Games of who is first: the box says who that was, and the table what it was worth."""
