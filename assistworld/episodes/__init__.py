"""One episode: the loop, its clock, mail and queue, the information boundary, frame picking, the audit log and replay."""
