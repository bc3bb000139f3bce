"""Schedulers between queues that a test fills and a task that it lets pull."""


class Merged:
    """A scheduler over Queues `q0`, `q1`, ... of devices in0, in1, ...; packets that are pulled leave by `out`."""

    def __init__(self, router, scheduler: str, inputs: int, **options):
        queues = "".join(f"FromDevice(in{i}) -> q{i} :: Queue -> [{i}]s;" for i in range(inputs))
        self.router = router(
            f"s :: {scheduler}; {queues} s -> u :: Unqueue(ACTIVE false) -> Queue -> ToDevice(out);", **options
        )
        self.pulled = 0

    def fill(self, port: int, packets: int, length: int = 60) -> None:
        """Packets wait at an input; each is made of the input's number."""
        self.router.send(f"in{port}", [bytes([port] * length)] * packets)

    def pull(self, packets: int) -> list[int]:
        """Let that many packets be pulled, or all that there are: the inputs that they came from."""
        self.pulled += packets
        self.router.write("u.limit", self.pulled)
        outputs = self.router.write("u.active", "true")
        outputs += self.router.write("u.active", "false")
        self.pulled = int(self.router.read("u.count"))
        return [output.data[-1] for output in outputs]

    def read(self, handler: str) -> str:
        return self.router.read(f"s.{handler}")

    def write(self, handler: str, value: object) -> None:
        self.router.write(f"s.{handler}", value)
