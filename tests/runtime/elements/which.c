#include <sys/eventfd.h>
#include <unistd.h>

#ifdef __OPTIMIZE__
#define CALLED(entry) private(calls)->entry##_fast++
#else
#define CALLED(entry) private(calls)->entry##_slow++
#endif

ELEMENT(Which)
{
	CALLED(action);
	return OUTPUT(0);
}

TASK()
{
	CALLED(task);
	return true;
}

TIMER()
{
	CALLED(timer);
	timer_after(1000000);
}

EVENT()
{
	eventfd_t value;

	CALLED(event);
	eventfd_read(private(calls)->fd, &value);
}

INIT()
{
	private(calls)->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	timer_after(1000000);
	return watch(private(calls)->fd, WATCH_READ);
}

CLEANUP()
{
	close(private(calls)->fd);
}

/* Whatever the operation, the task and the event come next. */
CONTROL()
{
	CALLED(control);
	task_schedule();
	return eventfd_write(private(calls)->fd, 1);
}
