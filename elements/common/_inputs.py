"""What schedulers have in common: many pull inputs, one pull output."""

from clickbpf.declare import PULL, USER, Element, Private


class Scheduler(Element, ports="-/1", processing=PULL, runs=USER):
    """Many pull inputs, one pull output.

    A task whose pull finds nothing sleeps until a Queue before the scheduler wakes it. So a scheduler may return no packet only if
    its inputs have none; otherwise it must wake the task itself (wake_pullers).
    """

    same_form = True



class PerInput(Private):
    """A value for each input, in the runtime's own memory; C: at(inputs, i)."""

    def entries(self, element, slots):
        return max(1, element.ninputs)
