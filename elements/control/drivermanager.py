from .script import Script


class DriverManager(Script):
    """a Script that manages driver stop events

    Synopsis: `DriverManager(INSTRUCTION, ...)`

    A Script whose default TYPE is DRIVER: when an element asks for the end of the run (`STOP true`, `stop`), the script takes a
    step, and the driver stops only when the script ends or reaches a `stop`. When `clickbpf run` is interrupted or terminated, the
    script takes all its remaining steps at once, up to a thousand, and waits for nothing: what it prints in the end is printed.

    Example:

        i :: InfiniteSource(LIMIT 5, STOP true) -> Discard;
        DriverManager(wait_stop, wait 0.1s, print i.count, stop);
    """

    default_type = "DRIVER"
