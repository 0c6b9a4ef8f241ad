"""One server plays, others stand by: the live nodes, the active one, and the takeover."""
