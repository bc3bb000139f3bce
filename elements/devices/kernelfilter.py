import os
import shlex
import subprocess
import sys

from clickbpf.declare import CONTROL, NAMES_ANYWHERE, ArgError, Element, Keyword, Raw, Rest, String, split_words

#: Places to look for the program.
IPTABLES = ("/sbin/iptables", "/usr/sbin/iptables")


class KernelFilter(Element, ports="0/0", processing="a/a", runs=CONTROL, traits=NAMES_ANYWHERE):
    """keeps Linux from handling packets that arrive on a device

    Synopsis: `KernelFilter(drop dev DEVNAME, ..., [IPTABLES_COMMAND ...])`

    Adds a rule to Linux's firewall, by iptables(8), to drop packets for this host on DEVNAME. Use it in a router that gets copies
    of packets, for example by RawSocket. The rule is removed when the router ends. FromDevice doesn't need it: Linux doesn't get
    its packets.

    Arguments:

      - drop dev DEVNAME: a rule.

    Example: pings that arrive on eth0 are answered by the router:

        KernelFilter(drop dev eth0);
        s :: RawSocket(ICMP) -> IPClassifier(icmp type echo) -> ICMPPingResponder -> Queue -> s;
    """

    args = (
        Keyword("IPTABLES_COMMAND", String(), text="the command, with any words before the rule. Default is iptables in /sbin or "
            "/usr/sbin"),
        Rest("FILTERSPEC", Raw()),
    )

    def configure(self) -> None:
        self._devices = [self._device(index, text) for index, text in enumerate(self.cfg.filterspec)]

    def begin(self) -> None:
        self._filtered: list[str] = []

    @staticmethod
    def _device(index: int, text: str) -> str:
        match split_words(text):
            case ["drop", "dev", device]:
                return String().parse(device)
        raise ArgError("arguments must follow 'drop dev DEVNAME'", argument="FILTERSPEC", index=index)

    def initialise(self) -> None:
        for device in self._devices:
            said = self._run("-A", device)
            if said:
                raise ArgError(said)
            self._filtered.append(device)

    def finished(self) -> None:
        while self._filtered:
            said = self._run("-D", self._filtered.pop())
            if said:
                print(f"{self.name} :: KernelFilter: {said}", file=sys.stderr)

    def _run(self, action: str, device: str) -> str:
        """Add (-A) or remove (-D) a rule; returns the error message if that fails."""
        rule = [*self._command(), action, "INPUT", "-i", device, "-j", "DROP"]
        try:
            done = subprocess.run(rule, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        except OSError as error:
            return f"{rule[0]}: {error.strerror}"
        return f"{shlex.join(rule)}: {done.stdout.strip() or f'status {done.returncode}'}" if done.returncode or done.stdout else ""

    def _command(self) -> list[str]:
        if self.cfg.iptables_command:
            return shlex.split(self.cfg.iptables_command)
        found = next((path for path in IPTABLES if os.access(path, os.X_OK)), None)
        if found is None:
            raise ArgError("no 'iptables' executable found", "IPTABLES_COMMAND says where it is")
        return [found]
