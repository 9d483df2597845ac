from __future__ import annotations
import gymnasium
from gridwise.core.registry import games
for g in games():
    gymnasium.register(f"gridwise/{g.title.replace(' ','')}-v0", vector_entry_point="gridwise.envs.vector:GridwiseVectorEnv", kwargs={"game": g.key})
