from clickbpf.declare import USER, ElementRef, Private, Rest, u32
from clickbpf.vocabulary import roles


class Watcher(roles.Watcher):
    """remembers how many packets wait in the storages it watches"""

    runs = USER
    args = (Rest("QUEUE", ElementRef()),)
    state_types = {"seen": Private(length=u32)}

    def watches(self):
        return self.cfg.queue
