"""The game of Hearts: cards, rules, deals, records, and the view of one seat."""
