"""Speed figures of a checkout. Nothing here is a test: no figure is compared with a bound."""
