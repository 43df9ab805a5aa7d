"""How a table is wired: profile, boards, wires, shopping list, drawings."""
