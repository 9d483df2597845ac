"""How a language model is asked for a move, and how its answer is read: one contract for all.

    import gridwise
    from gridwise.prompts import prompt

    print(prompt(gridwise.Position("grid-runner"), board="sentences"))

Nothing here talks to a model. The player `model:NAME`, `evals` and `envs` do, with `prompt_text`
(the question), `conditions` (what is shown), `skins` (in which words), `turn` (a question with its
retries) and `reply` (an answer, read).
"""

from gridwise.prompts.prompt_text import Prompt, position_text, prompt, rules_text

__all__ = ["Prompt", "position_text", "prompt", "rules_text"]
