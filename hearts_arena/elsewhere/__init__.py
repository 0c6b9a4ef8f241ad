"""Matches on other machines: what workers of dask are asked, and what they do."""
