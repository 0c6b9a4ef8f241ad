"""Matches on other machines: the requests to workers of dask, and their work."""
