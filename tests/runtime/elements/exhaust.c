#include <sys/resource.h>

/* All the memory that packets can be made of, in a list. */
static struct pkt *SELF(take_all)(void)
{
	struct pkt *taken = NULL, *p;

	while ((p = pkt_new(0, 60))) {
		p->next = taken;
		taken = p;
	}
	return taken;
}

ELEMENT(Exhaust)
{
	struct rlimit before, none;
	struct pkt *taken;

	getrlimit(RLIMIT_AS, &before);
	none = before;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_AS, &none);
	taken = SELF(take_all)();
	emit(p, input);
	while (taken) {
		p = taken;
		taken = p->next;
		pkt_free(p);
	}
	setrlimit(RLIMIT_AS, &before);
	return STOLEN;
}
