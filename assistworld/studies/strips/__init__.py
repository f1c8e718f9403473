"""The strips of `docs/verbs.md`: one short run of every verb, seen through the person's eyes and from beside."""
