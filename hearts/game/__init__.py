"""The game of Hearts: cards, rules, deals, records, and what one seat may know."""
