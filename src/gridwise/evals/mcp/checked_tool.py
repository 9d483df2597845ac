"""CheckedTool: a tool that refuses arguments it does not have, and says in one line what is wrong.

The SDK ignores arguments that a function does not take, so a slip (`levl`) would be taken for
nothing, and shows what a model got wrong as Pydantic prints it, over many lines.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult
from pydantic import ConfigDict, ValidationError

from gridwise.errors import BadRequest, printable
from gridwise.evals.mcp.answers import refusal

LONGEST = 500  # characters


class CheckedTool(Tool):
    """A tool whose arguments are checked before it is run."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:  # noqa: ANN401 - as the SDK's
        """What the tool answers, or what is wrong with the arguments."""
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            found = [
                f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}"
                for each in error.errors(include_url=False, include_context=False)
            ]
            problem = f"{self.name} cannot take these arguments. {'; '.join(found)}."
            return refusal(BadRequest(printable(problem, LONGEST)))
        return await super().run(arguments, context, convert_result)


def checked_tool(function: Callable[..., Awaitable[CallToolResult]]) -> Tool:
    """The tool that a function is, by its name, its docstring and its annotations."""
    tool = CheckedTool.from_function(function)
    given = tool.fn_metadata.arg_model

    class Arguments(given):  # type: ignore[misc, valid-type] # made from the function's signature
        """The same arguments and no others."""

        model_config = ConfigDict(extra="forbid", title=given.__name__)

    tool.fn_metadata.arg_model = Arguments
    tool.parameters = {**tool.parameters, "additionalProperties": False}
    return tool
