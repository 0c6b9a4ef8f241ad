"""The journal in PostgreSQL, on whatever machine that is; psycopg is imported here alone."""
