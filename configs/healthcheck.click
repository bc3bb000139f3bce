// healthcheck.click: answer HTTP health checks in the kernel, before Linux sees them.
//
//     clickbpf load configs/healthcheck.click DEV=enp1s0 ADDR=10.0.0.1 PORT=8080
//     curl http://10.0.0.1:8080/
//     clickbpf read health.count
//
// A balancer that asks this port learns that packets come through, however busy the host is.  All else goes to Linux, whose
// address ADDR is.  Nothing is remembered of those who ask, so a flood of SYNs takes no memory.

define($DEV eth0, $ADDR 10.0.0.1, $PORT 8080, $STATUS 200, $BODY "alive\n");

FromDevice($DEV) -> c :: Classifier(12/0800, -);

c[0] -> CheckIPHeader(14)
	-> asked :: IPClassifier(dst host $ADDR && dst tcp port $PORT, -);

asked[0] -> CheckTCPHeader
	-> HTTPResponder($STATUS, $BODY)
	-> EtherMirror
	-> health :: Counter
	-> Queue
	-> ToDevice($DEV);

asked[1] -> linux :: ToHost;
c[1] -> linux;
