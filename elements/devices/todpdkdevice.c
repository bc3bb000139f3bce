#if USERSPACE

ELEMENT(ToDPDKDevice)
{
	int error = device_send(self_device(), SIDE_WIRE, p);

	if (error == DEVICE_BUSY) {
		device_flush(self_device(), SIDE_WIRE);
		error = device_send(self_device(), SIDE_WIRE, p);
	}
	if (error)
		return DROP(DEVICE);
	count(counters, count, 1);
	device_flush(self_device(), SIDE_WIRE);
	return STOLEN;
}

#else

/* The runtime then sends or refuses the packet. */
GIVES_UP()
{
	return !pkt_can_leave_by(p, self_device());
}

ELEMENT(ToDPDKDevice)
{
	if (SELF(gives_up)(p, input))
		return PUNT;
	count(counters, count, pkt_packets(p));
	return SEND;
}

#endif
