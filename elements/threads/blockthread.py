import time

from clickbpf.declare import CONTROL, ArgError, Element, Handler, Time, write_handler


class BlockThread(Element, ports="0/0", runs=CONTROL):
    """stops all packets for a while when its handler is written to

    For tests of routers whose threads come to a halt.

    Handlers: `block` (write-only, not by control sockets): blocks everything for a number of seconds.

    Example:

        b :: BlockThread;
        Script(write b.block 0.1, stop);
    """

    @write_handler
    def block(self, text: str) -> None:
        try:
            nanoseconds = Time().parse(text.strip())
        except ArgError as error:
            raise ArgError("bad TIME", error.message) from None
        time.sleep(nanoseconds / 1e9)

    @classmethod
    def handlers(cls) -> dict[str, Handler]:
        found = super().handlers()
        found["block"].private = True
        return found
