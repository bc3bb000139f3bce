// counter.click: count what arrives on a device, and let Linux have it all the same.
//
//     clickbpf load configs/counter.click DEV=enp1s0
//     clickbpf read c.count
//     clickbpf write c.reset
//     clickbpf unload counter
//
// Everything here runs in the kernel, at the earliest point where a packet can be seen.  ToHost isn't a copy: the packet
// goes on to Linux as if no router had been there.

define($DEV eth0);

FromDevice($DEV) -> c :: Counter -> ToHost;
