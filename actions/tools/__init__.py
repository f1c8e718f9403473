"""Working with a held tool: its tip, the curve the tip follows over a target, and the screened motion that leads it."""
