"""The command line: `assistworld run | demo | replay | list | check | prove | view`."""
