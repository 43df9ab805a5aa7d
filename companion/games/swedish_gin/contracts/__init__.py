"""The contracts of Swedish Gin Rummy: an exact solver, and a judge of single melds. Pure."""
