"""Whole-body postures: crouching, sweeping the floor with the eyes, sitting down and getting up, what is done while seated."""
