"""A process that serves the toy schema over stdio, and writes to standard output where it must not."""

import asyncio

from tests.api.mcp_tools.toy import toy_door


async def main() -> None:
    door = toy_door()
    call = door.toolbox.call

    async def noisy(*args: object, **options: object) -> object:
        print("this line must not reach the client")  # noqa: T201
        return await call(*args, **options)  # type: ignore[arg-type]

    door.toolbox.call = noisy  # type: ignore[method-assign, assignment]
    await door.run_stdio()


asyncio.run(main())
