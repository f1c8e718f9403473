"""Isaac Sim of cardboard: the modules of Kit that the extension imports, over a real USD stage, MuJoCo and the embedded renderer.

What stands behind the calls is no PhysX and no RTX. What is real is everything above them: `extension.engine.make()` is run as Isaac Sim's
Python runs it. The habits that the notes on Isaac Sim 6.2 warn of are here: see `physx.py`, `camera.py`, `modules.py`.
"""
