"""Target-driven manipulation (seed B.2.2): postures, arm IK, grasps, reaches, placing, driven joints, pressing, inspecting."""
