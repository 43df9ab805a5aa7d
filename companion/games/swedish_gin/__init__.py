"""Swedish Gin Rummy beside its sheet: tokens and cuts, what cannot be, rules queries, the rules in words."""
