"""The whole router in the user-space runtime, within this process: no privilege, no kernel path."""

from collections.abc import Mapping

from clickbpf.build.host import find_compiler
from clickbpf.runtime.host import Runtime
from clickbpf.testing.executors.memory import InProcess
from clickbpf.testing.executors.source import Source, addresses
from clickbpf.testing.record import Output


class Native(InProcess):
    name = "native"

    def __init__(self, source: Source, devices: Mapping[str, str], clock: int | None = None):
        compilation = source.compile()
        runtime = Runtime(compilation, threads=source.threads)
        try:
            super().__init__(compilation, runtime, addresses(compilation.devices, devices), clock)
        except BaseException:
            runtime.close()
            raise

    @classmethod
    def unavailable(cls) -> str | None:
        find_compiler()
        return None

    def send(self, device: str, packet: bytes) -> list[Output]:
        self.check_device(device)
        self.runtime.inject(device, packet)
        return self.collect()
