"""A server with the tools that the conformance suite brings no server for, behind the product's own transport.

The suite asks for tools, resources and prompts of fixed names, which no product has. Here they are, so that what
the suite checks of the protocol and the transport is checked of ours.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.caching import CacheHint
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp.shared.message import ServerMessageMetadata
from starlette.applications import Starlette
from starlette.middleware import Middleware

from api.guard import Guard
from api.mcp_tools.options import McpOptions
from api.mcp_tools.resources import absent
from api.mcp_tools.transport import HttpTransport
from tests.contracts.mcp_conformance.fixture_content import (
    COLOR,
    CONTENT,
    CONTEXT,
    DEFAULTS,
    ENUMS,
    JSON_SCHEMA,
    NAME,
    OK,
    RESOURCES,
    embedded,
    image,
    text,
)

Context = ServerRequestContext[Any]
Params = types.CallToolRequestParams
ToolResult = types.CallToolResult | types.InputRequiredResult

_SECRET = secrets.token_bytes(16)


def fixture_app() -> Starlette:
    """The fixture server behind the guard and the transport of the product.

    It streams and keeps sessions, which the product does not: the suite's tools report while they work, and ask
    clients of the older revisions something meanwhile.
    """
    transport = HttpTransport(_server(), McpOptions(), streaming=True, sessions=True)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with transport.run():
            yield

    return Starlette(routes=[transport.route("/mcp")], middleware=[Middleware(Guard)], lifespan=lifespan)


def _server() -> Server[Any]:
    hint = CacheHint(ttl_ms=60_000, scope="public")
    with warnings.catch_warnings():
        # The suite for the older revisions asks for the level of the log to be settable.
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        return Server(
            "fixture",
            version="1",
            on_list_tools=_list_tools,
            on_call_tool=_call_tool,
            on_list_resources=_list_resources,
            on_list_resource_templates=_list_templates,
            on_read_resource=_read_resource,
            on_subscribe_resource=_nothing,
            on_unsubscribe_resource=_nothing,
            on_list_prompts=_list_prompts,
            on_get_prompt=_get_prompt,
            on_completion=_complete,
            on_set_logging_level=_nothing,
            cache_hints={
                "tools/list": hint,
                "resources/list": hint,
                "resources/templates/list": hint,
                "resources/read": hint,
                "prompts/list": hint,
                "server/discover": hint,
            },
        )


async def _nothing(_context: Context, _params: Any) -> types.EmptyResult:
    return types.EmptyResult()


def _said(words: str, *, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[text(words)], is_error=is_error)


async def _error(_context: Context, _params: Params) -> ToolResult:
    return _said("This tool intentionally returns an error for testing", is_error=True)


async def _log(context: Context, _params: Params) -> ToolResult:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            await context.session.send_log_message("info", words, related_request_id=context.request_id)
        await anyio.lowlevel.checkpoint()
    return _said("Logged.")


async def _progress(context: Context, _params: Params) -> ToolResult:
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100)
        await anyio.lowlevel.checkpoint()
    return _said("Reported.")


async def _sample(context: Context, params: Params) -> ToolResult:
    request = _sampling(str((params.arguments or {})["prompt"]), 100)
    result = await context.session.send_request(
        request,
        types.CreateMessageResult,
        metadata=ServerMessageMetadata(related_request_id=context.request_id),
    )
    content = result.content
    return _said(f"LLM response: {content.text if isinstance(content, types.TextContent) else content}")


def _elicit(
    lead: str, schema: Mapping[str, Any] | None = None
) -> Callable[[Context, Params], Awaitable[ToolResult]]:
    async def call(context: Context, params: Params) -> ToolResult:
        asked = schema or {
            "type": "object",
            "properties": {
                "username": {"type": "string", "description": "User's response"},
                "email": {"type": "string", "description": "User's email address"},
            },
            "required": ["username", "email"],
        }
        message = str((params.arguments or {}).get("message", "Please fill this in"))
        result = await context.session.elicit_form(message, dict(asked), context.request_id)
        return _said(f"{lead}: action={result.action}, content={json.dumps(result.content)}")

    return call


async def _needs_sampling(context: Context, _params: Params) -> ToolResult:
    sampling = types.ClientCapabilities(sampling=types.SamplingCapability())
    if not context.session.check_client_capability(sampling):
        raise MCPError(
            code=types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="This tool needs a client that can sample.",
            data={"requiredCapabilities": {"sampling": {}}},
        )
    return _said("The client can sample.")


def _form(message: str, schema: Mapping[str, Any]) -> types.ElicitRequest:
    return types.ElicitRequest(
        params=types.ElicitRequestFormParams(message=message, requested_schema=dict(schema))
    )


def _sampling(prompt: str, most: int) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=text(prompt))
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=[message], max_tokens=most)
    )


def _asking(state: str | None = None, /, **requests: types.InputRequest) -> types.InputRequiredResult:
    return types.InputRequiredResult(
        input_requests=requests, request_state=None if state is None else _seal(state)
    )


def _seal(state: str) -> str:
    return f"{state}.{hmac.digest(_SECRET, state.encode(), hashlib.sha256).hex()}"


def _opened(state: str | None) -> str:
    """What a state that the client sent back says. Raises `MCPError` when it is not one of ours."""
    opened = (state or "").partition(".")[0]
    if not hmac.compare_digest(_seal(opened), state or ""):
        raise MCPError(code=types.INVALID_PARAMS, message="The request state was changed.")
    return opened


def _answer(params: Any, key: str) -> dict[str, Any] | None:
    """The content of an accepted form, None while there is none."""
    answer = (params.input_responses or {}).get(key)
    content = answer.content if isinstance(answer, types.ElicitResult) and answer.action == "accept" else None
    return dict(content) if content else None


async def _ask_name(_context: Context, params: Params) -> ToolResult:
    answer = _answer(params, "user_name")
    if answer is None or "name" not in answer:
        return _asking(user_name=_form("What is your name?", NAME))
    return _said(f"Hello, {answer['name']}!")


async def _ask_capital(_context: Context, params: Params) -> ToolResult:
    answer = (params.input_responses or {}).get("capital_question")
    if not isinstance(answer, types.CreateMessageResult):
        return _asking(capital_question=_sampling("What is the capital of France?", 100))
    return _said(answer.content.text if isinstance(answer.content, types.TextContent) else "No text.")


async def _ask_roots(_context: Context, params: Params) -> ToolResult:
    answer = (params.input_responses or {}).get("client_roots")
    if not isinstance(answer, types.ListRootsResult):
        return _asking(client_roots=types.ListRootsRequest())
    return _said(", ".join(str(root.uri) for root in answer.roots))


async def _ask_with_state(_context: Context, params: Params) -> ToolResult:
    if params.request_state is None and params.input_responses is None:
        return _asking("confirming", confirm=_form("Please confirm", OK))
    return _said("state-ok" if _opened(params.request_state) == "confirming" else "another state")


async def _ask_much(_context: Context, params: Params) -> ToolResult:
    keys = {"user_name", "greeting", "client_roots"}
    if not keys <= (params.input_responses or {}).keys():
        return _asking(
            "much",
            user_name=_form("What is your name?", NAME),
            greeting=_sampling("Generate a greeting", 50),
            client_roots=types.ListRootsRequest(),
        )
    _opened(params.request_state)
    return _said("All is answered.")


async def _ask_twice(_context: Context, params: Params) -> ToolResult:
    if params.request_state is None:
        return _asking("first", step1=_form("Step 1: What is your name?", NAME))
    if _opened(params.request_state) == "first":
        return _asking("second", step2=_form("Step 2: What is your favorite color?", COLOR))
    return _said("Both steps are done.")


async def _ask_what_can_be_asked(context: Context, params: Params) -> ToolResult:
    if params.input_responses:
        return _said("Thank you.")
    requests: dict[str, types.InputRequest] = {}
    if context.session.check_client_capability(types.ClientCapabilities(sampling=types.SamplingCapability())):
        requests["sampled"] = _sampling("Say something", 50)
    if context.session.check_client_capability(
        types.ClientCapabilities(elicitation=types.ElicitationCapability())
    ):
        requests["asked"] = _form("What is your name?", NAME)
    return _asking(**requests) if requests else _said("There is nothing to ask of this client.")


TOOLS: dict[str, Callable[[Context, Params], Awaitable[ToolResult]]] = {
    "test_error_handling": _error,
    "test_tool_with_logging": _log,
    "test_logging_tool": _log,
    "test_tool_with_progress": _progress,
    "test_sampling": _sample,
    "test_elicitation": _elicit("User response"),
    "test_elicitation_sep1034_defaults": _elicit("Elicitation completed", DEFAULTS),
    "test_elicitation_sep1330_enums": _elicit("Elicitation completed", ENUMS),
    "test_missing_capability": _needs_sampling,
    "test_streaming_elicitation": _ask_name,
    "test_input_required_result_elicitation": _ask_name,
    "test_input_required_result_sampling": _ask_capital,
    "test_input_required_result_list_roots": _ask_roots,
    "test_input_required_result_request_state": _ask_with_state,
    "test_input_required_result_tampered_state": _ask_with_state,
    "test_input_required_result_multiple_inputs": _ask_much,
    "test_input_required_result_multi_round": _ask_twice,
    "test_input_required_result_capabilities": _ask_what_can_be_asked,
}

_NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}}
_SCHEMAS: dict[str, dict[str, Any]] = {
    "test_sampling": {"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]},
    "test_elicitation": {
        "type": "object",
        "properties": {"message": {"type": "string"}},
        "required": ["message"],
    },
    "json_schema_2020_12_tool": JSON_SCHEMA,
    "test_custom_headers": {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    },
}


async def _list_tools(
    _context: Context, _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    names = sorted({*CONTENT, *TOOLS, *_SCHEMAS})
    return types.ListToolsResult(
        tools=[
            types.Tool(name=name, description="A fixture.", input_schema=_SCHEMAS.get(name, _NO_ARGUMENTS))
            for name in names
        ]
    )


async def _call_tool(context: Context, params: Params) -> ToolResult:
    if params.name in TOOLS:
        return await TOOLS[params.name](context, params)
    if params.name in CONTENT:
        return types.CallToolResult(content=CONTENT[params.name])
    if params.name in _SCHEMAS:
        return _said(json.dumps(params.arguments))
    raise MCPError(code=types.INVALID_PARAMS, message=f"There is no tool {params.name}.")


async def _list_resources(
    _context: Context, _params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=uri, name=uri.rpartition("/")[2], description="A fixture.", mime_type=one.mime_type
            )
            for uri, one in RESOURCES.items()
        ]
    )


async def _list_templates(
    _context: Context, _params: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    template = types.ResourceTemplate(uri_template="test://template/{id}/data", name="template")
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def _read_resource(
    context: Context, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    uri = str(params.uri)
    if uri in RESOURCES:
        return types.ReadResourceResult(contents=[RESOURCES[uri]])
    start, end = "test://template/", "/data"
    if uri.startswith(start) and uri.endswith(end):
        id_ = uri.removeprefix(start).removesuffix(end)
        data = json.dumps({"id": id_, "templateTest": True, "data": f"Data for ID: {id_}"})
        content = types.TextResourceContents(uri=uri, mime_type="application/json", text=data)
        return types.ReadResourceResult(contents=[content])
    raise absent(f"There is no resource {uri}.", uri, context.protocol_version)


_PROMPTS = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


async def _list_prompts(
    _context: Context, _params: types.PaginatedRequestParams | None
) -> types.ListPromptsResult:
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=name,
                description="A fixture.",
                arguments=[types.PromptArgument(name=argument, required=True) for argument in arguments],
            )
            for name, arguments in _PROMPTS.items()
        ]
    )


async def _get_prompt(
    _context: Context, params: types.GetPromptRequestParams
) -> types.GetPromptResult | types.InputRequiredResult:
    given = params.arguments or {}
    blocks: list[types.ContentBlock]
    match params.name:
        case "test_simple_prompt":
            blocks = [text("This is a simple prompt for testing.")]
        case "test_prompt_with_arguments":
            blocks = [text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")]
        case "test_prompt_with_embedded_resource":
            blocks = [
                embedded(given["resourceUri"], "Embedded resource content for testing."),
                text("Please process the embedded resource above."),
            ]
        case "test_prompt_with_image":
            blocks = [image(), text("Please analyze the image above.")]
        case "test_input_required_result_prompt":
            answer = _answer(params, "user_context")
            if answer is None:
                return _asking(user_context=_form("What context should the prompt use?", CONTEXT))
            blocks = [text(f"Use this context: {answer.get('context')}")]
        case _:
            raise MCPError(code=types.INVALID_PARAMS, message=f"There is no prompt {params.name}.")
    return types.GetPromptResult(
        messages=[types.PromptMessage(role="user", content=block) for block in blocks]
    )


async def _complete(_context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
    words = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
    return types.CompleteResult(completion=types.Completion(values=words, total=len(words), has_more=False))
