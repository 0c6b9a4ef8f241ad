"""The results of a tournament as people and other programs are shown them."""
