"""Readers of the data sets that the seed paper draws on. The data are the user's own; nothing is downloaded."""
