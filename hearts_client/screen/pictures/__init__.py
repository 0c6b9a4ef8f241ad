"""The pictures: cards, the table, its sides, drawn as text. Nothing here knows urwid or trio."""
