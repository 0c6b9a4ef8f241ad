"""Moderation: bans, mutes, reports, and the log of all that host and moderators have done."""
