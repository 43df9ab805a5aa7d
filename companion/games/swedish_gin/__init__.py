"""Swedish Gin Rummy beside its sheet: tokens and cuts, what cannot be, counsel, the rules in words."""
