"""Work on many episodes: proving packs, full counts behind the committed results, reports."""
