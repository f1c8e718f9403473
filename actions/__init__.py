"""The human action layer: grammar, verbs, navigation, stance, IK, grasp and motions (seed B.2, B.3.1)."""
