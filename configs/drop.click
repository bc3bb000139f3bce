// drop.click: drop everything that arrives on a device, and count it.
//
//     clickbpf load configs/drop.click DEV=enp1s0
//     clickbpf read c.rate
//     clickbpf unload drop
//
// The smallest router there is: good for finding out what a device, its driver and the machine can take.  Don't try it
// on the device that you are logged in through.

define($DEV eth0);

FromDevice($DEV) -> c :: Counter -> Discard;
