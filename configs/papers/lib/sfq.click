// lib/sfq.click: stochastic fairness queueing, to require(library).

// SFQ(OFFSET, LENGTH, CAPACITY): a queue like Queue, in whose place it can be put.
//
// Packets are spread over eight queues of CAPACITY packets by a hash of LENGTH bytes at OFFSET, so that all packets of a
// flow share one; the scheduler takes from the queues in turn, the same number of bytes from each, while there are any.
// A flow that sends too much fills its own queue.  Two flows may share a queue by chance: that's what is stochastic.

elementclass SFQ { $offset, $length, $capacity |
	input -> hash :: HashSwitch($offset, $length);

	hash[0] -> q0 :: Queue($capacity) -> [0] fair :: DRRSched(1500);
	hash[1] -> q1 :: Queue($capacity) -> [1] fair;
	hash[2] -> q2 :: Queue($capacity) -> [2] fair;
	hash[3] -> q3 :: Queue($capacity) -> [3] fair;
	hash[4] -> q4 :: Queue($capacity) -> [4] fair;
	hash[5] -> q5 :: Queue($capacity) -> [5] fair;
	hash[6] -> q6 :: Queue($capacity) -> [6] fair;
	hash[7] -> q7 :: Queue($capacity) -> [7] fair;

	fair -> output;
}
