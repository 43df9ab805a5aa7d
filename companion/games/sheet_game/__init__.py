"""What every score sheet shares: hands, cells, totals, who can still win. A sheet game is one file more."""
