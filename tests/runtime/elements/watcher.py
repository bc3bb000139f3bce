from clickbpf.declare import USER, Element, ElementRef, Private, Rest, u32


class Watcher(Element):
    """remembers how many packets wait in the storages it watches"""

    runs = USER
    args = (Rest("QUEUE", ElementRef()),)
    state_types = {"seen": Private(length=u32)}

    def watches(self):
        return self.cfg.queue
