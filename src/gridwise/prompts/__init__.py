"""How a language model is asked for a move, and how its answer is read: one contract for all.

Nothing here talks to a model. `arena` (the player `model:NAME`), `evals` and `envs` do, with these.

    from gridwise.prompts.conditions import Conditions
    from gridwise.prompts.prompt import prompt, read_prompt
    from gridwise.prompts.reply import Failure, read_reply
    from gridwise.prompts.skins import skin, skin_names
    from gridwise.prompts.turn import Turn
"""
